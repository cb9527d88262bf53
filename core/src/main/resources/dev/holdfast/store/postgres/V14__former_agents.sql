-- The ids of sessions that were dropped because they ended long ago. None of them is given to another session, ever: reviews,
-- work and events name it. The same session, should it come back, gets its own again.
CREATE TABLE former_agents (
    id           text NOT NULL PRIMARY KEY,
    session_hash text NOT NULL
);

-- What retention looks for, and what keeps it from dropping one.
CREATE INDEX agents_ended  ON agents (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX agents_parent ON agents (parent) WHERE parent IS NOT NULL;
