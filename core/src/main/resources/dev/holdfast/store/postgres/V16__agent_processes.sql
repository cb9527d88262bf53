-- Every process that a session has run in. A session may end, move or be resumed elsewhere; who ran in a process stays one
-- with whoever calls from it, or nobody could be held to what they proposed a moment ago.
CREATE TABLE agent_processes (
    agent      text NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    machine    text NOT NULL,
    pid        bigint NOT NULL,
    started_at timestamptz NOT NULL,
    PRIMARY KEY (machine, pid, started_at, agent)
);

CREATE INDEX agent_processes_of ON agent_processes (agent);

INSERT INTO agent_processes (agent, machine, pid, started_at)
SELECT id, machine, pid, process_started_at FROM agents
WHERE machine IS NOT NULL AND pid IS NOT NULL AND process_started_at IS NOT NULL;
