ALTER SYSTEM SET default_toast_compression = 'lz4'
