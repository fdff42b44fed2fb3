-- Whether a connection holds the sample household, as a column of its own: agents are told of it, and the role that reads for them
-- may not read what else a connection's configuration says.
ALTER TABLE connections ADD COLUMN is_sample boolean NOT NULL GENERATED ALWAYS AS (config @> '{"sample": true}') STORED;
