ALTER SYSTEM SET wal_compression = 'lz4'
