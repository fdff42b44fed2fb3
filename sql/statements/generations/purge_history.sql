-- Deletes at the most $3 tombstones of home.history from before $2 that a source left, and keeps the last of their transactions.
-- The number of them.
WITH old AS (
    SELECT h.id
    FROM home.history AS h
    JOIN connections AS c ON c.id = h.connection_id AND c.provider <> 'push'
    WHERE h.user_id = $1 AND h.deleted_at < $2
    ORDER BY h.deleted_at
    LIMIT $3
), purged AS (
    DELETE FROM home.history AS h
    USING old
    WHERE h.id = old.id
    RETURNING h.changed_xid
), told AS (
    UPDATE generations
    SET history_purged = greatest(history_purged, (SELECT max(changed_xid) FROM purged))
    WHERE user_id = $1 AND EXISTS (SELECT FROM purged)
)
SELECT count(*) FROM purged
