-- Large objects could be written by anybody who may call these, the reader included.
REVOKE EXECUTE ON FUNCTION
    pg_catalog.lo_creat(integer),
    pg_catalog.lo_create(oid),
    pg_catalog.lo_from_bytea(oid, bytea)
FROM PUBLIC;

-- Takes from PUBLIC the right to connect and to make temporary tables.
REVOKE ALL ON DATABASE sextant FROM PUBLIC;
GRANT CONNECT ON DATABASE sextant TO sextant_reader;
