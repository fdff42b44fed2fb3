-- What of a connection's rest its source wished for: nobody shortens that, while a backoff ends when the person wants a round.
ALTER TABLE connections ADD COLUMN wished_until timestamptz;

-- Which of the rests that last were wished for is not known any more.
UPDATE connections SET wished_until = retry_at WHERE provider <> 'push';
