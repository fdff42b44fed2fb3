-- The column of the provider's locale has another name in each release, so the row is read as JSON.
SELECT
    current_setting('server_version_num')::integer,
    current_setting('server_version'),
    database.datname::text,
    pg_catalog.pg_encoding_to_char(database.encoding)::text,
    database.datlocprovider::text,
    database.datctype::text,
    coalesce(to_jsonb(database) ->> 'datlocale', to_jsonb(database) ->> 'daticulocale')
FROM pg_catalog.pg_database AS database
WHERE database.datname = current_database()
