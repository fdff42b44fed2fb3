SELECT t."id", t."account_id", left(t."status", $2::integer), t."amount"::text, left(t."currency", $3::integer), t."booked_on", t."value_on", t."transacted_at", left(t."description", $4::integer), left(t."counterparty_name", $5::integer), left(t."counterparty_account", $6::integer), left(t."merchant_name", $7::integer), left(t."mcc", $8::integer), left(t."category", $9::integer), left(t."payment_channel", $10::integer), left(t."reference", $11::integer), t."balance_after"::text, t."fx", t."replaces_id", t."source_id_is_synthetic", c.label, t.synced_at, t."booked_on", t."id"
FROM "finance"."transactions" AS t
JOIN public.connections AS c ON c.user_id = $1 AND c.id = t.connection_id
WHERE t.user_id = $1 AND t.deleted_at IS NULL
ORDER BY t."booked_on" DESC NULLS LAST, t."id" DESC
LIMIT $12
-- $1: uuid
-- $2: int8
-- $3: int8
-- $4: int8
-- $5: int8
-- $6: int8
-- $7: int8
-- $8: int8
-- $9: int8
-- $10: int8
-- $11: int8
-- $12: int8

SELECT count(*)
FROM "finance"."transactions" AS t
WHERE t.user_id = $1 AND t.deleted_at IS NULL
-- $1: uuid
