-- Brokers of the previous version go on meanwhile, and almost all of their changes lock rows of this table first and change
-- them later. A migration that locked it weakly first and more strongly later would deadlock with the first of them.
DO $$ BEGIN
    IF to_regclass('resources') IS NOT NULL THEN
        LOCK TABLE resources IN ACCESS EXCLUSIVE MODE;
    END IF;
END $$;
