-- The newest round that a page has shown a person, also by itself; looked is the newest one that they opened.
ALTER TABLE review_desks ADD COLUMN sent int NOT NULL DEFAULT 0;
UPDATE review_desks SET sent = looked;
