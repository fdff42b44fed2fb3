-- The next rows of the record, at most $1, are counted for their users and no longer for nobody. Answers how many rows those were;
-- after the last there is no place to go on from. Counts are gone where nothing is left of them; `last_at` of one that stays may be
-- of a row that was moved, in the same hour.
WITH batch AS MATERIALIZED (
    SELECT log.id, log.user_id, log.agent_id, log.tool, log.sector, log.decision, log.outcome, log.created_at
    FROM audit_log AS log
    WHERE log.id > (SELECT done_id FROM audit_hourly_recount) AND log.id <= (SELECT last_id FROM audit_hourly_recount)
    ORDER BY log.id
    LIMIT $1
),
owned AS MATERIALIZED (
    SELECT date_trunc('hour', created_at, 'UTC') AS hour, user_id, agent_id, tool, sector, decision, outcome,
        count(*) AS n, max(created_at) AS last_at
    FROM batch
    WHERE user_id IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7
),
counted AS (
    INSERT INTO audit_hourly (hour, user_id, agent_id, tool, sector, decision, outcome, n, last_at)
    SELECT hour, user_id, agent_id, tool, sector, decision, outcome, n, last_at
    FROM owned
    ON CONFLICT (hour, user_id, agent_id, tool, sector, decision, outcome) DO UPDATE SET
        n = audit_hourly.n + excluded.n,
        last_at = greatest(audit_hourly.last_at, excluded.last_at)
),
taken AS MATERIALIZED (
    SELECT hour, agent_id, tool, sector, decision, outcome, sum(n)::bigint AS n
    FROM owned
    GROUP BY 1, 2, 3, 4, 5, 6
),
lessened AS (
    UPDATE audit_hourly AS nobodys SET n = nobodys.n - taken.n
    FROM taken
    WHERE nobodys.hour = taken.hour AND nobodys.user_id IS NULL AND nobodys.n > taken.n
        AND (nobodys.agent_id, nobodys.tool, nobodys.sector, nobodys.decision, nobodys.outcome)
            IS NOT DISTINCT FROM (taken.agent_id, taken.tool, taken.sector, taken.decision, taken.outcome)
),
emptied AS (
    DELETE FROM audit_hourly AS nobodys
    USING taken
    WHERE nobodys.hour = taken.hour AND nobodys.user_id IS NULL AND nobodys.n <= taken.n
        AND (nobodys.agent_id, nobodys.tool, nobodys.sector, nobodys.decision, nobodys.outcome)
            IS NOT DISTINCT FROM (taken.agent_id, taken.tool, taken.sector, taken.decision, taken.outcome)
),
advanced AS (
    UPDATE audit_hourly_recount SET done_id = (SELECT max(id) FROM batch)
    WHERE EXISTS (SELECT FROM batch)
),
finished AS (
    DELETE FROM audit_hourly_recount
    WHERE NOT EXISTS (SELECT FROM batch)
)
SELECT count(*) AS rows FROM batch
