-- The sleeps out of which the person woke on the days $2, with the time asleep where the source tells its parts.
SELECT wanted."day", slept.connection_id, slept.start_at, slept.end_at,
    coalesce(slept.light_ms, slept.deep_ms, slept.rem_ms, unstaged.asleep_ms) IS NOT NULL AS is_staged,
    (coalesce(slept.light_ms, 0)::numeric + coalesce(slept.deep_ms, 0) + coalesce(slept.rem_ms, 0)
        + coalesce(unstaged.asleep_ms, 0))::double precision AS staged_ms,
    slept.in_bed_ms::double precision AS in_bed_ms,
    (coalesce(slept.awake_ms, 0)::numeric + coalesce(slept.no_data_ms, 0))::double precision AS awake_ms
FROM unnest($2::date[], $3::timestamptz[], $4::timestamptz[]) AS wanted("day", begins, ends)
-- By OFFSET 0 each day is looked up by itself, by index.
CROSS JOIN LATERAL (
    SELECT id, connection_id, start_at, end_at, zone_offset, light_ms, deep_ms, rem_ms, awake_ms, no_data_ms, in_bed_ms, extra,
        deleted_at
    FROM health.sleeps
    WHERE user_id = $1 AND end_at >= wanted.begins - interval '36 hours' AND end_at < wanted.ends + interval '36 hours'
    OFFSET 0
) AS slept
-- Sleep of no known stage has no column; a source that tells it keeps it beside the rest.
CROSS JOIN LATERAL (
    SELECT CASE WHEN jsonb_typeof(slept.extra -> 'asleep_ms') = 'number'
        THEN least(greatest((slept.extra ->> 'asleep_ms')::numeric, 0), extract(epoch FROM slept.end_at - slept.start_at) * 1000)
    END AS asleep_ms
) AS unstaged
WHERE slept.deleted_at IS NULL
    AND evidence.is_of_day(slept.end_at, slept.zone_offset, wanted."day", wanted.begins, wanted.ends)
    AND slept.end_at >= slept.start_at
ORDER BY wanted."day", slept.connection_id, slept.start_at, slept.id
