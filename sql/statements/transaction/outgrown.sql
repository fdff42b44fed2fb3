-- Whether the table $1 has outgrown its statistics: it has more than twice the pages that it had when they were taken, and more
-- than a few.
SELECT pg_relation_size(oid) / current_setting('block_size')::bigint > 2 * relpages::bigint + 32 AS is_outgrown
FROM pg_class
WHERE oid = $1::text::regclass
