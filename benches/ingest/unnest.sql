-- Inserts rows of a table into an empty copy of it with its indexes, in one statement, and notes the seconds that this and its
-- commit took.
-- The block is the whole command: beside another statement it could not commit.
DO $$
DECLARE
    {variables}
    began timestamptz;
BEGIN
    DROP TABLE IF EXISTS copied;
    CREATE TABLE copied (LIKE {stored} INCLUDING ALL);
    SELECT {gathered} INTO {arrays} FROM (SELECT * FROM {stored} LIMIT {size}) AS stored;
    COMMIT;
    began := clock_timestamp();
    INSERT INTO copied ({names}) SELECT {read} FROM unnest({arrays}) AS given({aliases});
    COMMIT;
    PERFORM set_config('bench.seconds', extract(epoch FROM clock_timestamp() - began)::text, FALSE);
END
$$;
