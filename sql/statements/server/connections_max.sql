-- How many connections anybody but a superuser may have.
SELECT current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
