-- Findings on several lines, and what became of findings from round to round.
ALTER TABLE findings ADD COLUMN lines INTEGER NOT NULL DEFAULT 1;  -- how many lines it is about, the last of them being line
ALTER TABLE findings ADD COLUMN past TEXT NOT NULL DEFAULT '';  -- a letter for each round after its own: there, outdated, gone, - unknown
