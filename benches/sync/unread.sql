-- Connections to sources that have never been read to the end, and those whose reading failed.
SELECT count(*) FILTER (WHERE last_success_at IS NULL), count(*) FILTER (WHERE problem IS NOT NULL)
FROM connections
WHERE provider = 'own_server'
