-- Makes tombstones of the balances $2 (ids), which nothing speaks for any more.
UPDATE finance.balances
SET account_id = NULL, "day" = NULL, "current" = NULL, available = NULL, currency = NULL, deleted_at = now(),
    synced_at = now(), changed_xid = pg_current_xact_id()
WHERE user_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL
