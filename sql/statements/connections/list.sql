SELECT id, provider, label, sector, target_table, sign_in_id, paused_at,
    -- A round is under way; a source that has caught up and is listened to is none.
    CASE
        WHEN health IN ('ok', 'waiting') AND EXISTS (
            SELECT FROM sync_runs AS run
            WHERE run.connection_id = connections.id AND run.ended_at IS NULL
                AND run.started_at > coalesce(connections.last_success_at, '-infinity')
        ) THEN 'syncing'
        ELSE health
    END AS health, problem, interval_s, window_days,
    retry_at, last_success_at, created_at, ingest_secret_sha256 IS NOT NULL AS has_secret,
    is_sample, expires_at, (SELECT s.account FROM sign_ins AS s WHERE s.id = sign_in_id) AS account
FROM connections
-- One of them, or all.
WHERE user_id = $1 AND ($2::uuid IS NULL OR id = $2) AND removed_at IS NULL
ORDER BY sector, created_at, id
