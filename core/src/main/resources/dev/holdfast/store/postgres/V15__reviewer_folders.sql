-- The folder that a reviewer may read, by its real path: it may claim the reviews of all projects whose files are there.
-- Null: it is bound to its project, if it has one, and not to a folder.
ALTER TABLE reviewers ADD COLUMN folder text;
