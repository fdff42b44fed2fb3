SELECT 1
FROM pg_catalog.pg_settings
WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals) AND setting <> 'lz4'
