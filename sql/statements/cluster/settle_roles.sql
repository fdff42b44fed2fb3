-- The superuser of the private cluster makes the two roles that are used from then on.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'sextant') THEN
        CREATE ROLE sextant;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'sextant_reader') THEN
        CREATE ROLE sextant_reader;
    END IF;
END
$$;

ALTER ROLE sextant WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;

ALTER ROLE sextant_reader WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT;
ALTER ROLE sextant_reader SET default_transaction_read_only = on;
ALTER ROLE sextant_reader SET statement_timeout = '60s';

REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC;
