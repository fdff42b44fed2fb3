-- What each device measured on the days $2, which last from $3 to $4 in the person's zone. Summed as numeric, so that the
-- order in which rows are read leaves no trace; what no body can measure is left out.
SELECT wanted."day", sample.connection_id, sample.metric, coalesce(sample.is_daily_total, FALSE) AS is_total, count(*) AS n,
    sum(sample.value::numeric)::double precision AS total,
    max(sample.value) AS greatest,
    avg(sample.value::numeric)::double precision AS mean,
    (array_agg(sample.value ORDER BY sample.start_at DESC, sample.id DESC))[1] AS latest,
    max(sample.start_at) AS latest_at
FROM unnest($2::date[], $3::timestamptz[], $4::timestamptz[]) AS wanted("day", begins, ends)
-- By OFFSET 0 each day is looked up by itself, by index.
CROSS JOIN LATERAL (
    SELECT id, connection_id, device_id, metric, value, is_daily_total, start_at, zone_offset, deleted_at
    FROM health.samples
    WHERE user_id = $1 AND start_at >= wanted.begins - interval '36 hours' AND start_at < wanted.ends + interval '36 hours'
    OFFSET 0
) AS sample
WHERE sample.deleted_at IS NULL
    AND evidence.is_of_day(sample.start_at, sample.zone_offset, wanted."day", wanted.begins, wanted.ends)
    AND sample.metric = ANY($5::text[]) AND sample.value BETWEEN 0 AND 1e9
GROUP BY wanted."day", sample.connection_id, sample.device_id, sample.metric, is_total
ORDER BY wanted."day", sample.connection_id, sample.device_id NULLS FIRST, sample.metric
