-- One slice of the record, going back: the operator's rows and those without a user, merged along the one index.
-- Comes back: the rows that pass the filters, and the slice's last row whatever it is, to go on from.
-- The first key of each branch's order is constant; it stands there because the planner does not see that a column that IS
-- NULL is, and would sort that whole branch instead of walking the index.
WITH slice AS MATERIALIZED (
    (
        SELECT id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, created_at
        FROM audit_log
        WHERE user_id = $1
            AND (created_at, id) < ($2, $3)
            AND created_at >= $4 AND created_at < $5
        ORDER BY user_id ASC, created_at DESC, id DESC
        LIMIT $6
    )
    UNION ALL
    (
        SELECT id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, created_at
        FROM audit_log
        WHERE user_id IS NULL
            AND (created_at, id) < ($2, $3)
            AND created_at >= $4 AND created_at < $5
        ORDER BY user_id ASC, created_at DESC, id DESC
        LIMIT $6
    )
    ORDER BY created_at DESC, id DESC
    LIMIT $6
),
judged AS (
    SELECT id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, created_at,
        row_number() OVER (ORDER BY created_at DESC, id DESC) AS place,
        count(*) OVER () AS scanned,
        ($7::text IS NULL OR agent_id = $7)
            AND (NOT $8::boolean OR agent_id IS NULL)
            AND ($9::text IS NULL OR tool = $9)
            AND ($10::text IS NULL OR sector = $10)
            AND ($11::text IS NULL OR decision = $11)
            AND ($12::text IS NULL OR outcome = $12)
            AND (
                $13::text IS NULL
                OR strpos(lower(concat_ws(' ', agent_id, tool, sector, deny_reason, args::text, request_id)), $13) > 0
            ) AS matches
    FROM slice
)
SELECT id, agent_id, tool, sector, decision, deny_reason, args, result_count, outcome, request_id, created_at, scanned, coalesce(matches, false) AS matches
FROM judged
WHERE matches OR place = scanned
ORDER BY place
