SELECT setting FROM pg_catalog.pg_settings WHERE name = 'data_directory'
