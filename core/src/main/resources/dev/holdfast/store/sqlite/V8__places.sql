-- Where something is to be done (the host and port of a webhook), noted when it is first passed over because that place is
-- taken: what waits for a slow endpoint must not hold up the rest.
ALTER TABLE outbox ADD COLUMN place TEXT;
