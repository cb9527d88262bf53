-- Where a session's process runs: a host name alone says too little, as containers and machines share names. Sessions from
-- before have none of these, and nobody takes their processes for dead: their leases run out.
ALTER TABLE agents ADD COLUMN machine      text;  -- host name, boot and space of process numbers
ALTER TABLE agents ADD COLUMN started_by   text;  -- the process that called start_session
ALTER TABLE agents ADD COLUMN key_hash     text;  -- of the key that ends the session; null: from before there were keys
ALTER TABLE agents ADD COLUMN in_flight_on text;  -- the machine whose broker saw the long call of a tool
