SELECT 1 FROM pg_catalog.pg_database WHERE datname = 'sextant'
