SELECT (SELECT g.generation FROM public.generations AS g WHERE g.user_id = $1) AS generation, (SELECT pg_snapshot_xmin(pg_current_snapshot())::text) AS oldest,
NULL::text AS purged,
t."id", t."account_id", left(t."status", $2::integer), t."amount", left(t."currency", $2::integer), t."booked_on", left(t."booked_on_from", $2::integer), t."value_on", t."transacted_at", left(t."description", $2::integer), left(t."counterparty_name", $2::integer), left(t."counterparty_account", $2::integer), left(t."merchant_name", $2::integer), left(t."mcc", $2::integer), left(t."category", $2::integer), left(t."payment_channel", $2::integer), left(t."reference", $2::integer), t."balance_after", t."fx", t."replaces_id", t."source_id_is_synthetic", c.label, t.synced_at, t."updated_at", t."booked_on", t."id"
FROM "finance"."transactions" AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
WHERE t.user_id = $1 AND t.deleted_at IS NULL
ORDER BY t."booked_on" DESC NULLS LAST, t."id" DESC
LIMIT 51
-- $1: uuid
-- $2: int8

SELECT count(*)
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
-- $1: uuid
