-- A revision r2: knows the lines that it is about, and the versions of the files that they count in. What it says at whatever
-- place is the r1: of before, and stands beside it. What was stored as r1: knows no place and goes on to count anywhere.
ALTER TABLE revisions ADD COLUMN wherever TEXT;  -- null: there is no diff, or it cannot be read
ALTER TABLE revisions ADD COLUMN bases TEXT;     -- JSON: the versions of its files that the diff was made from
UPDATE revisions SET wherever = revision WHERE revision LIKE 'r1:%';
CREATE INDEX revisions_wherever ON revisions (wherever);
