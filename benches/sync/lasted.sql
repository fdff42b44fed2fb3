SELECT
    percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(EPOCH FROM ended_at - started_at)::double precision),
    percentile_cont(0.9) WITHIN GROUP (ORDER BY extract(EPOCH FROM ended_at - started_at)::double precision),
    max(extract(EPOCH FROM ended_at - started_at)::double precision)
FROM sync_runs
WHERE ended_at IS NOT NULL
