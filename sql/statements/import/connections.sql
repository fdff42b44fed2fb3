-- One that is here already is left as it is, and takes the rows; answers the labels of those. What is fetched waits for its
-- credential, which no export holds.
WITH told AS (
    SELECT id, provider, label, sector, target_table, config, paused_at, removed_at, interval_s, window_days, health,
        problem, retry_at, last_success_at, created_at, expires_at,
        (SELECT own.id FROM sign_ins AS own WHERE own.user_id = $1 AND own.id = line.sign_in_id) AS sign_in_id
    FROM jsonb_populate_recordset(NULL::connections, $2::text::jsonb) AS line
), brought AS (
    INSERT INTO connections (
        user_id, id, provider, label, sector, target_table, config, paused_at, removed_at, interval_s, window_days, health,
        problem, retry_at, last_success_at, created_at, expires_at, sign_in_id
    )
    SELECT
        $1, id, provider, label, sector, target_table, config, paused_at, removed_at, interval_s, window_days,
        CASE WHEN provider = 'push' THEN health ELSE 'needs_credentials' END,
        CASE WHEN provider = 'push' THEN problem ELSE jsonb_build_object(
            'code', 'imported', 'message', 'an export holds no credential: enter it again', 'since', now(), 'count', 1
        ) END,
        CASE WHEN provider = 'push' THEN retry_at END,
        last_success_at, created_at, expires_at, sign_in_id
    FROM told
    ON CONFLICT (id) DO NOTHING
)
SELECT here.label AS name
FROM connections AS here
JOIN told ON told.id = here.id
ORDER BY here.label COLLATE "C", here.id
