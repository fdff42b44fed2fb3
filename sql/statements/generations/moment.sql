SELECT generation, pg_snapshot_xmin(pg_current_snapshot())::text AS oldest
FROM public.generations
WHERE user_id = $1
