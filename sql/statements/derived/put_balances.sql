-- Writes the balances of the jsonb array $2; one that says the same already is left alone.
INSERT INTO finance.balances AS stored (
    id, user_id, connection_id, source_id, account_id, "day", "current", available, currency
)
SELECT made.id, $1, made.connection_id, made.source_id, made.account_id, made."day", made."current", made.available,
    made.currency
FROM jsonb_to_recordset($2) AS made(
    id uuid, connection_id uuid, source_id text, account_id uuid, "day" date, "current" numeric, available numeric,
    currency text
)
ON CONFLICT (id) DO UPDATE
SET account_id = excluded.account_id, "day" = excluded."day", "current" = excluded."current",
    available = excluded.available, currency = excluded.currency, synced_at = now(),
    changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE stored.deleted_at IS NOT NULL
    OR (stored."current", stored.available, stored.currency)
    IS DISTINCT FROM (excluded."current", excluded.available, excluded.currency)
