-- Advisory locks belong to one database and roles to all of them, so the lock keeps our own starts apart and the
-- handlers what another database's start did in the same moment.
DO $$
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(21368, 2);
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'sextant_reader') THEN
        BEGIN
            CREATE ROLE sextant_reader NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END IF;
    BEGIN
        SET LOCAL ROLE sextant_reader;
        RESET ROLE;
    EXCEPTION WHEN insufficient_privilege THEN
        GRANT sextant_reader TO CURRENT_USER;
    END;
END
$$
