-- The domains of what a home has, and how much of each; and what the person has left out of its actions, if they have said so.
SELECT
    source.config -> 'left_out_domains' AS left_out,
    (
        SELECT coalesce(jsonb_object_agg(counted.domain, counted.entities), '{}'::jsonb)
        FROM (
            SELECT domain, count(*) AS entities
            FROM home.entities
            WHERE connection_id = source.id AND deleted_at IS NULL AND domain IS NOT NULL
            GROUP BY domain
        ) AS counted
    ) AS domains
FROM connections AS source
WHERE source.user_id = $1 AND source.id = $2 AND source.removed_at IS NULL
