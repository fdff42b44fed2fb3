-- What the planner believes there is: what the last analysis found, deleted rows included.
SELECT schema.nspname::text AS sector, sum(greatest(stored.reltuples, 0))::bigint AS n
FROM pg_catalog.pg_class AS stored
JOIN pg_catalog.pg_namespace AS schema ON schema.oid = stored.relnamespace
WHERE stored.relkind = 'r' AND schema.nspname = ANY ($1)
GROUP BY schema.nspname
