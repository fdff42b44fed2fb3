-- One push to the connection $1 at a time, until its transaction ends. No lock of the row: who pauses the connection or gives
-- it another secret does not wait for a push.
SELECT pg_catalog.pg_advisory_xact_lock(21369, pg_catalog.hashtext($1::uuid::text))
