-- A holder's grants since a time, so that claim-next need not read all that the holder has ended.
CREATE INDEX resources_held_since ON resources (holder, acquired_at) WHERE state = 'held';
DROP INDEX resources_held;
