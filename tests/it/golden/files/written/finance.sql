-- finance.transactions: upsert, absent clears
INSERT INTO "finance"."transactions" AS stored (id, user_id, connection_id, source_id, "own_account_id", "status", "amount", "currency", "booked_on", "booked_on_from", "value_on", "transacted_at", "description", "counterparty_name", "counterparty_account", "merchant_name", "mcc", "category", "payment_channel", "reference", "balance_after", "fx", "replaces_id", "source_id_is_synthetic", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."account_id", pushed."status", pushed."amount", pushed."currency", pushed."booked_on", pushed."booked_on_from", pushed."value_on", pushed."transacted_at", pushed."description", pushed."counterparty_name", pushed."counterparty_account", pushed."merchant_name", pushed."mcc", pushed."category", pushed."payment_channel", pushed."reference", pushed."balance_after", pushed."fx", pushed."replaces_id", pushed."source_id_is_synthetic", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "account_id" uuid, "status" text, "amount" numeric, "currency" text, "booked_on" date, "booked_on_from" text, "value_on" date, "transacted_at" timestamptz, "description" text, "counterparty_name" text, "counterparty_account" text, "merchant_name" text, "mcc" text, "category" text, "payment_channel" text, "reference" text, "balance_after" numeric, "fx" jsonb, "replaces_id" uuid, "source_id_is_synthetic" boolean, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "own_account_id" = excluded."own_account_id", "status" = excluded."status", "amount" = excluded."amount", "currency" = excluded."currency", "booked_on" = CASE WHEN excluded."booked_on_from" IS NOT NULL AND stored."booked_on" IS NOT NULL AND coalesce(array_position(ARRAY['transacted_at', 'value_on', 'first_seen'], stored."booked_on_from"), 0) <= coalesce(array_position(ARRAY['transacted_at', 'value_on', 'first_seen'], excluded."booked_on_from"), 0) THEN stored."booked_on" ELSE excluded."booked_on" END, "booked_on_from" = CASE WHEN excluded."booked_on_from" IS NOT NULL AND stored."booked_on" IS NOT NULL AND coalesce(array_position(ARRAY['transacted_at', 'value_on', 'first_seen'], stored."booked_on_from"), 0) <= coalesce(array_position(ARRAY['transacted_at', 'value_on', 'first_seen'], excluded."booked_on_from"), 0) THEN stored."booked_on_from" ELSE excluded."booked_on_from" END, "value_on" = excluded."value_on", "transacted_at" = excluded."transacted_at", "description" = excluded."description", "counterparty_name" = excluded."counterparty_name", "counterparty_account" = excluded."counterparty_account", "merchant_name" = excluded."merchant_name", "mcc" = excluded."mcc", "category" = excluded."category", "payment_channel" = excluded."payment_channel", "reference" = excluded."reference", "balance_after" = excluded."balance_after", "fx" = excluded."fx", "replaces_id" = excluded."replaces_id", "source_id_is_synthetic" = excluded."source_id_is_synthetic", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), removed_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.removed_at IS NOT NULL OR (stored."own_account_id", stored."status", stored."amount", stored."currency", stored."booked_on", stored."booked_on_from", stored."value_on", stored."transacted_at", stored."description", stored."counterparty_name", stored."counterparty_account", stored."merchant_name", stored."mcc", stored."category", stored."payment_channel", stored."reference", stored."balance_after", stored."fx", stored."replaces_id", stored."source_id_is_synthetic", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."own_account_id", excluded."status", excluded."amount", excluded."currency", CASE WHEN excluded."booked_on_from" IS NOT NULL AND stored."booked_on" IS NOT NULL AND coalesce(array_position(ARRAY['transacted_at', 'value_on', 'first_seen'], stored."booked_on_from"), 0) <= coalesce(array_position(ARRAY['transacted_at', 'value_on', 'first_seen'], excluded."booked_on_from"), 0) THEN stored."booked_on" ELSE excluded."booked_on" END, CASE WHEN excluded."booked_on_from" IS NOT NULL AND stored."booked_on" IS NOT NULL AND coalesce(array_position(ARRAY['transacted_at', 'value_on', 'first_seen'], stored."booked_on_from"), 0) <= coalesce(array_position(ARRAY['transacted_at', 'value_on', 'first_seen'], excluded."booked_on_from"), 0) THEN stored."booked_on_from" ELSE excluded."booked_on_from" END, excluded."value_on", excluded."transacted_at", excluded."description", excluded."counterparty_name", excluded."counterparty_account", excluded."merchant_name", excluded."mcc", excluded."category", excluded."payment_channel", excluded."reference", excluded."balance_after", excluded."fx", excluded."replaces_id", excluded."source_id_is_synthetic", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- finance.transactions: upsert, absent stays
INSERT INTO "finance"."transactions" AS stored (id, user_id, connection_id, source_id, "own_account_id", "status", "amount", "currency", "booked_on", "booked_on_from", "value_on", "transacted_at", "description", "counterparty_name", "counterparty_account", "merchant_name", "mcc", "category", "payment_channel", "reference", "balance_after", "fx", "replaces_id", "source_id_is_synthetic", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."account_id", pushed."status", pushed."amount", pushed."currency", pushed."booked_on", pushed."booked_on_from", pushed."value_on", pushed."transacted_at", pushed."description", pushed."counterparty_name", pushed."counterparty_account", pushed."merchant_name", pushed."mcc", pushed."category", pushed."payment_channel", pushed."reference", pushed."balance_after", pushed."fx", pushed."replaces_id", pushed."source_id_is_synthetic", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "account_id" uuid, "status" text, "amount" numeric, "currency" text, "booked_on" date, "booked_on_from" text, "value_on" date, "transacted_at" timestamptz, "description" text, "counterparty_name" text, "counterparty_account" text, "merchant_name" text, "mcc" text, "category" text, "payment_channel" text, "reference" text, "balance_after" numeric, "fx" jsonb, "replaces_id" uuid, "source_id_is_synthetic" boolean, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "own_account_id" = coalesce(excluded."own_account_id", stored."own_account_id"), "status" = coalesce(excluded."status", stored."status"), "amount" = coalesce(excluded."amount", stored."amount"), "currency" = coalesce(excluded."currency", stored."currency"), "booked_on" = coalesce(excluded."booked_on", stored."booked_on"), "booked_on_from" = coalesce(excluded."booked_on_from", stored."booked_on_from"), "value_on" = coalesce(excluded."value_on", stored."value_on"), "transacted_at" = coalesce(excluded."transacted_at", stored."transacted_at"), "description" = coalesce(excluded."description", stored."description"), "counterparty_name" = coalesce(excluded."counterparty_name", stored."counterparty_name"), "counterparty_account" = coalesce(excluded."counterparty_account", stored."counterparty_account"), "merchant_name" = coalesce(excluded."merchant_name", stored."merchant_name"), "mcc" = coalesce(excluded."mcc", stored."mcc"), "category" = coalesce(excluded."category", stored."category"), "payment_channel" = coalesce(excluded."payment_channel", stored."payment_channel"), "reference" = coalesce(excluded."reference", stored."reference"), "balance_after" = coalesce(excluded."balance_after", stored."balance_after"), "fx" = coalesce(excluded."fx", stored."fx"), "replaces_id" = coalesce(excluded."replaces_id", stored."replaces_id"), "source_id_is_synthetic" = coalesce(excluded."source_id_is_synthetic", stored."source_id_is_synthetic"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), removed_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.removed_at IS NOT NULL OR (stored."own_account_id", stored."status", stored."amount", stored."currency", stored."booked_on", stored."booked_on_from", stored."value_on", stored."transacted_at", stored."description", stored."counterparty_name", stored."counterparty_account", stored."merchant_name", stored."mcc", stored."category", stored."payment_channel", stored."reference", stored."balance_after", stored."fx", stored."replaces_id", stored."source_id_is_synthetic", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."own_account_id", stored."own_account_id"), coalesce(excluded."status", stored."status"), coalesce(excluded."amount", stored."amount"), coalesce(excluded."currency", stored."currency"), coalesce(excluded."booked_on", stored."booked_on"), coalesce(excluded."booked_on_from", stored."booked_on_from"), coalesce(excluded."value_on", stored."value_on"), coalesce(excluded."transacted_at", stored."transacted_at"), coalesce(excluded."description", stored."description"), coalesce(excluded."counterparty_name", stored."counterparty_name"), coalesce(excluded."counterparty_account", stored."counterparty_account"), coalesce(excluded."merchant_name", stored."merchant_name"), coalesce(excluded."mcc", stored."mcc"), coalesce(excluded."category", stored."category"), coalesce(excluded."payment_channel", stored."payment_channel"), coalesce(excluded."reference", stored."reference"), coalesce(excluded."balance_after", stored."balance_after"), coalesce(excluded."fx", stored."fx"), coalesce(excluded."replaces_id", stored."replaces_id"), coalesce(excluded."source_id_is_synthetic", stored."source_id_is_synthetic"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- finance.transactions: tombstone
UPDATE "finance"."transactions" AS stored
SET "own_account_id" = NULL, "status" = NULL, "amount" = NULL, "currency" = NULL, "booked_on" = NULL, "booked_on_from" = NULL, "value_on" = NULL, "transacted_at" = NULL, "description" = NULL, "counterparty_name" = NULL, "counterparty_account" = NULL, "merchant_name" = NULL, "mcc" = NULL, "category" = NULL, "payment_channel" = NULL, "reference" = NULL, "balance_after" = NULL, "fx" = NULL, "replaces_id" = NULL, "source_id_is_synthetic" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), removed_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.removed_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- finance.transactions: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "finance"."transactions" AS found ON found.user_id = $1 AND found.removed_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- finance.transactions: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "own_account_id" AS "account_id", "status", "amount", "currency", "booked_on", "booked_on_from", "value_on", "transacted_at", "description", "counterparty_name", "counterparty_account", "merchant_name", "mcc", "category", "payment_channel", "reference", "balance_after", "fx", "replaces_id", "source_id_is_synthetic", "raw", "extra", "updated_at", "synced_at", "removed_at" AS "deleted_at", "hidden_by", "hidden_at", "merged_account_id" FROM "finance"."transactions" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- finance.transactions: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "own_account_id" AS "account_id", "status", "amount", "currency", "booked_on", "booked_on_from", "value_on", "transacted_at", "description", "counterparty_name", "counterparty_account", "merchant_name", "mcc", "category", "payment_channel", "reference", "balance_after", "fx", "replaces_id", "source_id_is_synthetic", "raw", "extra", "updated_at", "synced_at", "removed_at" AS "deleted_at", "hidden_by", "hidden_at", "merged_account_id" FROM "finance"."transactions" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- finance.transactions: restore
INSERT INTO "finance"."transactions" (user_id, "own_account_id", "status", "amount", "currency", "booked_on", "booked_on_from", "value_on", "transacted_at", "description", "counterparty_name", "counterparty_account", "merchant_name", "mcc", "category", "payment_channel", "reference", "balance_after", "fx", "replaces_id", "source_id_is_synthetic")
SELECT $1, told."account_id", told."status", told."amount", told."currency", told."booked_on", told."booked_on_from", told."value_on", told."transacted_at", told."description", told."counterparty_name", told."counterparty_account", told."merchant_name", told."mcc", told."category", told."payment_channel", told."reference", told."balance_after", told."fx", told."replaces_id", told."source_id_is_synthetic" FROM jsonb_to_recordset($2::text::jsonb) AS told("account_id" uuid, "status" text, "amount" numeric, "currency" text, "booked_on" date, "booked_on_from" text, "value_on" date, "transacted_at" timestamptz, "description" text, "counterparty_name" text, "counterparty_account" text, "merchant_name" text, "mcc" text, "category" text, "payment_channel" text, "reference" text, "balance_after" numeric, "fx" jsonb, "replaces_id" uuid, "source_id_is_synthetic" boolean);

-- finance.transactions: hide
UPDATE "finance"."transactions" AS stored
SET hidden_by = decided.hidden_by, hidden_at = CASE WHEN decided.hidden_by IS NOT NULL THEN coalesce(stored.hidden_at, now()) END, changed_xid = pg_current_xact_id()
FROM unnest($2::uuid[], $3::uuid[]) AS decided(id, hidden_by)
WHERE stored.user_id = $1 AND stored.id = decided.id;

-- finance.transactions: release what is erased
UPDATE "finance"."transactions" AS stored
SET hidden_by = NULL, hidden_at = NULL, "merged_account_id" = NULL, changed_xid = pg_current_xact_id()
WHERE user_id = $1 AND ((hidden_by IS NOT NULL AND NOT EXISTS (SELECT FROM "finance"."transactions" AS serving WHERE serving.id = stored.hidden_by)) OR ("merged_account_id" IS NOT NULL AND NOT EXISTS (SELECT FROM finance.accounts AS serving WHERE serving.id = stored."merged_account_id")));

-- finance.transactions: touched
WITH changed AS (
    SELECT id, "own_account_id" AS account, hidden_by FROM "finance"."transactions" WHERE user_id = $1 AND changed_xid = pg_current_xact_id()
)
SELECT account FROM changed WHERE account IS NOT NULL
UNION
SELECT hidden."own_account_id" FROM changed JOIN "finance"."transactions" AS hidden ON hidden.hidden_by = changed.id WHERE hidden."own_account_id" IS NOT NULL
UNION
SELECT serving."own_account_id" FROM changed JOIN "finance"."transactions" AS serving ON serving.id = changed.hidden_by WHERE serving."own_account_id" IS NOT NULL;

-- finance.transactions: merge
UPDATE "finance"."transactions" AS stored
SET hidden_by = decided.hidden_by, hidden_at = CASE WHEN decided.hidden_by IS NOT NULL THEN coalesce(stored.hidden_at, now()) END, "merged_account_id" = decided.merged, changed_xid = pg_current_xact_id()
FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS decided(id, hidden_by, merged)
WHERE stored.user_id = $1 AND stored.id = decided.id;

-- finance.transactions: release
UPDATE "finance"."transactions" AS stored
SET hidden_by = NULL, hidden_at = NULL, "merged_account_id" = NULL, changed_xid = pg_current_xact_id()
WHERE user_id = $1 AND "own_account_id" = ANY($2::uuid[]) AND (account_id = ANY($2::uuid[]) OR "merged_account_id" IS NOT NULL)
    AND (hidden_by IS NOT NULL OR "merged_account_id" IS NOT NULL);

-- finance.transactions: release strays
UPDATE "finance"."transactions" AS stored
SET hidden_by = NULL, hidden_at = NULL, "merged_account_id" = NULL, changed_xid = pg_current_xact_id()
WHERE user_id = $1 AND changed_xid = pg_current_xact_id() AND (hidden_by IS NOT NULL OR "merged_account_id" IS NOT NULL)
    AND (removed_at IS NOT NULL OR "own_account_id" IS NULL OR "own_account_id" <> ALL($2::uuid[]));

-- finance.transactions: tombstone by account_id
UPDATE "finance"."transactions" AS stored
SET "own_account_id" = NULL, "status" = NULL, "amount" = NULL, "currency" = NULL, "booked_on" = NULL, "booked_on_from" = NULL, "value_on" = NULL, "transacted_at" = NULL, "description" = NULL, "counterparty_name" = NULL, "counterparty_account" = NULL, "merchant_name" = NULL, "mcc" = NULL, "category" = NULL, "payment_channel" = NULL, "reference" = NULL, "balance_after" = NULL, "fx" = NULL, "replaces_id" = NULL, "source_id_is_synthetic" = NULL, raw = NULL, extra = NULL, updated_at = now(), removed_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.removed_at IS NULL
    AND stored."own_account_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- finance.transactions: resolve account_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "finance"."accounts" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'finance.accounts'
        AND pending.child_target = 'finance.transactions' AND pending.field = 'account_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.removed_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "finance"."transactions" AS child
SET "own_account_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.removed_at IS NULL;

-- finance.transactions: tombstone by replaces_id
UPDATE "finance"."transactions" AS stored
SET "own_account_id" = NULL, "status" = NULL, "amount" = NULL, "currency" = NULL, "booked_on" = NULL, "booked_on_from" = NULL, "value_on" = NULL, "transacted_at" = NULL, "description" = NULL, "counterparty_name" = NULL, "counterparty_account" = NULL, "merchant_name" = NULL, "mcc" = NULL, "category" = NULL, "payment_channel" = NULL, "reference" = NULL, "balance_after" = NULL, "fx" = NULL, "replaces_id" = NULL, "source_id_is_synthetic" = NULL, raw = NULL, extra = NULL, updated_at = now(), removed_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.removed_at IS NULL
    AND stored."replaces_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- finance.transactions: resolve replaces_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "finance"."transactions" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'finance.transactions'
        AND pending.child_target = 'finance.transactions' AND pending.field = 'replaces_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.removed_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "finance"."transactions" AS child
SET "replaces_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.removed_at IS NULL;

-- finance.accounts: upsert, absent clears
INSERT INTO "finance"."accounts" AS stored (id, user_id, connection_id, source_id, "name", "official_name", "institution_name", "institution_id", "institution_domain", "type", "subtype", "currency", "mask", "iban", "balance_current", "balance_available", "balance_limit", "balance_as_of", "status", "bank_error_code", "bank_error_message", "consent_expires_at", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."official_name", pushed."institution_name", pushed."institution_id", pushed."institution_domain", pushed."type", pushed."subtype", pushed."currency", pushed."mask", pushed."iban", pushed."balance_current", pushed."balance_available", pushed."balance_limit", pushed."balance_as_of", pushed."status", pushed."bank_error_code", pushed."bank_error_message", pushed."consent_expires_at", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "official_name" text, "institution_name" text, "institution_id" text, "institution_domain" text, "type" text, "subtype" text, "currency" text, "mask" text, "iban" text, "balance_current" numeric, "balance_available" numeric, "balance_limit" numeric, "balance_as_of" timestamptz, "status" text, "bank_error_code" text, "bank_error_message" text, "consent_expires_at" timestamptz, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = excluded."name", "official_name" = excluded."official_name", "institution_name" = excluded."institution_name", "institution_id" = excluded."institution_id", "institution_domain" = excluded."institution_domain", "type" = excluded."type", "subtype" = excluded."subtype", "currency" = excluded."currency", "mask" = excluded."mask", "iban" = excluded."iban", "balance_current" = excluded."balance_current", "balance_available" = excluded."balance_available", "balance_limit" = excluded."balance_limit", "balance_as_of" = excluded."balance_as_of", "status" = excluded."status", "bank_error_code" = excluded."bank_error_code", "bank_error_message" = excluded."bank_error_message", "consent_expires_at" = excluded."consent_expires_at", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), removed_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.removed_at IS NOT NULL OR (stored."name", stored."official_name", stored."institution_name", stored."institution_id", stored."institution_domain", stored."type", stored."subtype", stored."currency", stored."mask", stored."iban", stored."balance_current", stored."balance_available", stored."balance_limit", stored."balance_as_of", stored."status", stored."bank_error_code", stored."bank_error_message", stored."consent_expires_at", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."name", excluded."official_name", excluded."institution_name", excluded."institution_id", excluded."institution_domain", excluded."type", excluded."subtype", excluded."currency", excluded."mask", excluded."iban", excluded."balance_current", excluded."balance_available", excluded."balance_limit", excluded."balance_as_of", excluded."status", excluded."bank_error_code", excluded."bank_error_message", excluded."consent_expires_at", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- finance.accounts: upsert, absent stays
INSERT INTO "finance"."accounts" AS stored (id, user_id, connection_id, source_id, "name", "official_name", "institution_name", "institution_id", "institution_domain", "type", "subtype", "currency", "mask", "iban", "balance_current", "balance_available", "balance_limit", "balance_as_of", "status", "bank_error_code", "bank_error_message", "consent_expires_at", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."official_name", pushed."institution_name", pushed."institution_id", pushed."institution_domain", pushed."type", pushed."subtype", pushed."currency", pushed."mask", pushed."iban", pushed."balance_current", pushed."balance_available", pushed."balance_limit", pushed."balance_as_of", pushed."status", pushed."bank_error_code", pushed."bank_error_message", pushed."consent_expires_at", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "official_name" text, "institution_name" text, "institution_id" text, "institution_domain" text, "type" text, "subtype" text, "currency" text, "mask" text, "iban" text, "balance_current" numeric, "balance_available" numeric, "balance_limit" numeric, "balance_as_of" timestamptz, "status" text, "bank_error_code" text, "bank_error_message" text, "consent_expires_at" timestamptz, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = coalesce(excluded."name", stored."name"), "official_name" = coalesce(excluded."official_name", stored."official_name"), "institution_name" = coalesce(excluded."institution_name", stored."institution_name"), "institution_id" = coalesce(excluded."institution_id", stored."institution_id"), "institution_domain" = coalesce(excluded."institution_domain", stored."institution_domain"), "type" = coalesce(excluded."type", stored."type"), "subtype" = coalesce(excluded."subtype", stored."subtype"), "currency" = coalesce(excluded."currency", stored."currency"), "mask" = coalesce(excluded."mask", stored."mask"), "iban" = coalesce(excluded."iban", stored."iban"), "balance_current" = coalesce(excluded."balance_current", stored."balance_current"), "balance_available" = coalesce(excluded."balance_available", stored."balance_available"), "balance_limit" = coalesce(excluded."balance_limit", stored."balance_limit"), "balance_as_of" = coalesce(excluded."balance_as_of", stored."balance_as_of"), "status" = coalesce(excluded."status", stored."status"), "bank_error_code" = coalesce(excluded."bank_error_code", stored."bank_error_code"), "bank_error_message" = coalesce(excluded."bank_error_message", stored."bank_error_message"), "consent_expires_at" = coalesce(excluded."consent_expires_at", stored."consent_expires_at"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), removed_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.removed_at IS NOT NULL OR (stored."name", stored."official_name", stored."institution_name", stored."institution_id", stored."institution_domain", stored."type", stored."subtype", stored."currency", stored."mask", stored."iban", stored."balance_current", stored."balance_available", stored."balance_limit", stored."balance_as_of", stored."status", stored."bank_error_code", stored."bank_error_message", stored."consent_expires_at", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."name", stored."name"), coalesce(excluded."official_name", stored."official_name"), coalesce(excluded."institution_name", stored."institution_name"), coalesce(excluded."institution_id", stored."institution_id"), coalesce(excluded."institution_domain", stored."institution_domain"), coalesce(excluded."type", stored."type"), coalesce(excluded."subtype", stored."subtype"), coalesce(excluded."currency", stored."currency"), coalesce(excluded."mask", stored."mask"), coalesce(excluded."iban", stored."iban"), coalesce(excluded."balance_current", stored."balance_current"), coalesce(excluded."balance_available", stored."balance_available"), coalesce(excluded."balance_limit", stored."balance_limit"), coalesce(excluded."balance_as_of", stored."balance_as_of"), coalesce(excluded."status", stored."status"), coalesce(excluded."bank_error_code", stored."bank_error_code"), coalesce(excluded."bank_error_message", stored."bank_error_message"), coalesce(excluded."consent_expires_at", stored."consent_expires_at"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- finance.accounts: tombstone
UPDATE "finance"."accounts" AS stored
SET "name" = NULL, "official_name" = NULL, "institution_name" = NULL, "institution_id" = NULL, "institution_domain" = NULL, "type" = NULL, "subtype" = NULL, "currency" = NULL, "mask" = NULL, "iban" = NULL, "balance_current" = NULL, "balance_available" = NULL, "balance_limit" = NULL, "balance_as_of" = NULL, "status" = NULL, "bank_error_code" = NULL, "bank_error_message" = NULL, "consent_expires_at" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), removed_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.removed_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- finance.accounts: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "finance"."accounts" AS found ON found.user_id = $1 AND found.removed_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- finance.accounts: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "official_name", "institution_name", "institution_id", "institution_domain", "type", "subtype", "currency", "mask", "iban", "balance_current", "balance_available", "balance_limit", "balance_as_of", "status", "bank_error_code", "bank_error_message", "consent_expires_at", "raw", "extra", "updated_at", "synced_at", "removed_at" AS "deleted_at", "hidden_by", "hidden_at" FROM "finance"."accounts" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- finance.accounts: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "official_name", "institution_name", "institution_id", "institution_domain", "type", "subtype", "currency", "mask", "iban", "balance_current", "balance_available", "balance_limit", "balance_as_of", "status", "bank_error_code", "bank_error_message", "consent_expires_at", "raw", "extra", "updated_at", "synced_at", "removed_at" AS "deleted_at", "hidden_by", "hidden_at" FROM "finance"."accounts" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- finance.accounts: restore
INSERT INTO "finance"."accounts" (user_id, "name", "official_name", "institution_name", "institution_id", "institution_domain", "type", "subtype", "currency", "mask", "iban", "balance_current", "balance_available", "balance_limit", "balance_as_of", "status", "bank_error_code", "bank_error_message", "consent_expires_at")
SELECT $1, told."name", told."official_name", told."institution_name", told."institution_id", told."institution_domain", told."type", told."subtype", told."currency", told."mask", told."iban", told."balance_current", told."balance_available", told."balance_limit", told."balance_as_of", told."status", told."bank_error_code", told."bank_error_message", told."consent_expires_at" FROM jsonb_to_recordset($2::text::jsonb) AS told("name" text, "official_name" text, "institution_name" text, "institution_id" text, "institution_domain" text, "type" text, "subtype" text, "currency" text, "mask" text, "iban" text, "balance_current" numeric, "balance_available" numeric, "balance_limit" numeric, "balance_as_of" timestamptz, "status" text, "bank_error_code" text, "bank_error_message" text, "consent_expires_at" timestamptz);

-- finance.accounts: hide
UPDATE "finance"."accounts" AS stored
SET hidden_by = decided.hidden_by, hidden_at = CASE WHEN decided.hidden_by IS NOT NULL THEN coalesce(stored.hidden_at, now()) END, changed_xid = pg_current_xact_id()
FROM unnest($2::uuid[], $3::uuid[]) AS decided(id, hidden_by)
WHERE stored.user_id = $1 AND stored.id = decided.id;

-- finance.accounts: release what is erased
UPDATE "finance"."accounts" AS stored
SET hidden_by = NULL, hidden_at = NULL, changed_xid = pg_current_xact_id()
WHERE user_id = $1 AND ((hidden_by IS NOT NULL AND NOT EXISTS (SELECT FROM "finance"."accounts" AS serving WHERE serving.id = stored.hidden_by)));

-- finance.holdings: upsert, absent clears
INSERT INTO "finance"."holdings" AS stored (id, user_id, connection_id, source_id, "own_account_id", "day", "symbol", "isin", "name", "quantity", "price", "market_value", "cost_basis", "currency", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."account_id", pushed."day", pushed."symbol", pushed."isin", pushed."name", pushed."quantity", pushed."price", pushed."market_value", pushed."cost_basis", pushed."currency", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "account_id" uuid, "day" date, "symbol" text, "isin" text, "name" text, "quantity" numeric, "price" numeric, "market_value" numeric, "cost_basis" numeric, "currency" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "own_account_id" = excluded."own_account_id", "day" = excluded."day", "symbol" = excluded."symbol", "isin" = excluded."isin", "name" = excluded."name", "quantity" = excluded."quantity", "price" = excluded."price", "market_value" = excluded."market_value", "cost_basis" = excluded."cost_basis", "currency" = excluded."currency", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), removed_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.removed_at IS NOT NULL OR (stored."own_account_id", stored."day", stored."symbol", stored."isin", stored."name", stored."quantity", stored."price", stored."market_value", stored."cost_basis", stored."currency", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."own_account_id", excluded."day", excluded."symbol", excluded."isin", excluded."name", excluded."quantity", excluded."price", excluded."market_value", excluded."cost_basis", excluded."currency", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- finance.holdings: upsert, absent stays
INSERT INTO "finance"."holdings" AS stored (id, user_id, connection_id, source_id, "own_account_id", "day", "symbol", "isin", "name", "quantity", "price", "market_value", "cost_basis", "currency", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."account_id", pushed."day", pushed."symbol", pushed."isin", pushed."name", pushed."quantity", pushed."price", pushed."market_value", pushed."cost_basis", pushed."currency", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "account_id" uuid, "day" date, "symbol" text, "isin" text, "name" text, "quantity" numeric, "price" numeric, "market_value" numeric, "cost_basis" numeric, "currency" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "own_account_id" = coalesce(excluded."own_account_id", stored."own_account_id"), "day" = coalesce(excluded."day", stored."day"), "symbol" = coalesce(excluded."symbol", stored."symbol"), "isin" = coalesce(excluded."isin", stored."isin"), "name" = coalesce(excluded."name", stored."name"), "quantity" = coalesce(excluded."quantity", stored."quantity"), "price" = coalesce(excluded."price", stored."price"), "market_value" = coalesce(excluded."market_value", stored."market_value"), "cost_basis" = coalesce(excluded."cost_basis", stored."cost_basis"), "currency" = coalesce(excluded."currency", stored."currency"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), removed_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.removed_at IS NOT NULL OR (stored."own_account_id", stored."day", stored."symbol", stored."isin", stored."name", stored."quantity", stored."price", stored."market_value", stored."cost_basis", stored."currency", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."own_account_id", stored."own_account_id"), coalesce(excluded."day", stored."day"), coalesce(excluded."symbol", stored."symbol"), coalesce(excluded."isin", stored."isin"), coalesce(excluded."name", stored."name"), coalesce(excluded."quantity", stored."quantity"), coalesce(excluded."price", stored."price"), coalesce(excluded."market_value", stored."market_value"), coalesce(excluded."cost_basis", stored."cost_basis"), coalesce(excluded."currency", stored."currency"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- finance.holdings: tombstone
UPDATE "finance"."holdings" AS stored
SET "own_account_id" = NULL, "day" = NULL, "symbol" = NULL, "isin" = NULL, "name" = NULL, "quantity" = NULL, "price" = NULL, "market_value" = NULL, "cost_basis" = NULL, "currency" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), removed_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.removed_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- finance.holdings: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "finance"."holdings" AS found ON found.user_id = $1 AND found.removed_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- finance.holdings: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "own_account_id" AS "account_id", "day", "symbol", "isin", "name", "quantity", "price", "market_value", "cost_basis", "currency", "raw", "extra", "updated_at", "synced_at", "removed_at" AS "deleted_at", "hidden_by", "hidden_at", "merged_account_id" FROM "finance"."holdings" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- finance.holdings: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "own_account_id" AS "account_id", "day", "symbol", "isin", "name", "quantity", "price", "market_value", "cost_basis", "currency", "raw", "extra", "updated_at", "synced_at", "removed_at" AS "deleted_at", "hidden_by", "hidden_at", "merged_account_id" FROM "finance"."holdings" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- finance.holdings: restore
INSERT INTO "finance"."holdings" (user_id, "own_account_id", "day", "symbol", "isin", "name", "quantity", "price", "market_value", "cost_basis", "currency")
SELECT $1, told."account_id", told."day", told."symbol", told."isin", told."name", told."quantity", told."price", told."market_value", told."cost_basis", told."currency" FROM jsonb_to_recordset($2::text::jsonb) AS told("account_id" uuid, "day" date, "symbol" text, "isin" text, "name" text, "quantity" numeric, "price" numeric, "market_value" numeric, "cost_basis" numeric, "currency" text);

-- finance.holdings: hide
UPDATE "finance"."holdings" AS stored
SET hidden_by = decided.hidden_by, hidden_at = CASE WHEN decided.hidden_by IS NOT NULL THEN coalesce(stored.hidden_at, now()) END, changed_xid = pg_current_xact_id()
FROM unnest($2::uuid[], $3::uuid[]) AS decided(id, hidden_by)
WHERE stored.user_id = $1 AND stored.id = decided.id;

-- finance.holdings: release what is erased
UPDATE "finance"."holdings" AS stored
SET hidden_by = NULL, hidden_at = NULL, "merged_account_id" = NULL, changed_xid = pg_current_xact_id()
WHERE user_id = $1 AND ((hidden_by IS NOT NULL AND NOT EXISTS (SELECT FROM "finance"."holdings" AS serving WHERE serving.id = stored.hidden_by)) OR ("merged_account_id" IS NOT NULL AND NOT EXISTS (SELECT FROM finance.accounts AS serving WHERE serving.id = stored."merged_account_id")));

-- finance.holdings: touched
WITH changed AS (
    SELECT id, "own_account_id" AS account, hidden_by FROM "finance"."holdings" WHERE user_id = $1 AND changed_xid = pg_current_xact_id()
)
SELECT account FROM changed WHERE account IS NOT NULL
UNION
SELECT hidden."own_account_id" FROM changed JOIN "finance"."holdings" AS hidden ON hidden.hidden_by = changed.id WHERE hidden."own_account_id" IS NOT NULL
UNION
SELECT serving."own_account_id" FROM changed JOIN "finance"."holdings" AS serving ON serving.id = changed.hidden_by WHERE serving."own_account_id" IS NOT NULL;

-- finance.holdings: merge
UPDATE "finance"."holdings" AS stored
SET hidden_by = decided.hidden_by, hidden_at = CASE WHEN decided.hidden_by IS NOT NULL THEN coalesce(stored.hidden_at, now()) END, "merged_account_id" = decided.merged, changed_xid = pg_current_xact_id()
FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS decided(id, hidden_by, merged)
WHERE stored.user_id = $1 AND stored.id = decided.id;

-- finance.holdings: release
UPDATE "finance"."holdings" AS stored
SET hidden_by = NULL, hidden_at = NULL, "merged_account_id" = NULL, changed_xid = pg_current_xact_id()
WHERE user_id = $1 AND "own_account_id" = ANY($2::uuid[]) AND (account_id = ANY($2::uuid[]) OR "merged_account_id" IS NOT NULL)
    AND (hidden_by IS NOT NULL OR "merged_account_id" IS NOT NULL);

-- finance.holdings: release strays
UPDATE "finance"."holdings" AS stored
SET hidden_by = NULL, hidden_at = NULL, "merged_account_id" = NULL, changed_xid = pg_current_xact_id()
WHERE user_id = $1 AND changed_xid = pg_current_xact_id() AND (hidden_by IS NOT NULL OR "merged_account_id" IS NOT NULL)
    AND (removed_at IS NOT NULL OR "own_account_id" IS NULL OR "own_account_id" <> ALL($2::uuid[]));

-- finance.holdings: tombstone by account_id
UPDATE "finance"."holdings" AS stored
SET "own_account_id" = NULL, "day" = NULL, "symbol" = NULL, "isin" = NULL, "name" = NULL, "quantity" = NULL, "price" = NULL, "market_value" = NULL, "cost_basis" = NULL, "currency" = NULL, raw = NULL, extra = NULL, updated_at = now(), removed_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.removed_at IS NULL
    AND stored."own_account_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- finance.holdings: resolve account_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "finance"."accounts" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'finance.accounts'
        AND pending.child_target = 'finance.holdings' AND pending.field = 'account_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.removed_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "finance"."holdings" AS child
SET "own_account_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.removed_at IS NULL;

-- finance.balances: upsert, absent clears
INSERT INTO "finance"."balances" AS stored (id, user_id, connection_id, source_id, "account_id", "day", "current", "available", "currency", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."account_id", pushed."day", pushed."current", pushed."available", pushed."currency", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "account_id" uuid, "day" date, "current" numeric, "available" numeric, "currency" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "account_id" = excluded."account_id", "day" = excluded."day", "current" = excluded."current", "available" = excluded."available", "currency" = excluded."currency", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE true
    AND (stored.deleted_at IS NOT NULL OR (stored."account_id", stored."day", stored."current", stored."available", stored."currency", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."account_id", excluded."day", excluded."current", excluded."available", excluded."currency", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- finance.balances: upsert, absent stays
INSERT INTO "finance"."balances" AS stored (id, user_id, connection_id, source_id, "account_id", "day", "current", "available", "currency", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."account_id", pushed."day", pushed."current", pushed."available", pushed."currency", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "account_id" uuid, "day" date, "current" numeric, "available" numeric, "currency" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "account_id" = coalesce(excluded."account_id", stored."account_id"), "day" = coalesce(excluded."day", stored."day"), "current" = coalesce(excluded."current", stored."current"), "available" = coalesce(excluded."available", stored."available"), "currency" = coalesce(excluded."currency", stored."currency"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE true
    AND (stored.deleted_at IS NOT NULL OR (stored."account_id", stored."day", stored."current", stored."available", stored."currency", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."account_id", stored."account_id"), coalesce(excluded."day", stored."day"), coalesce(excluded."current", stored."current"), coalesce(excluded."available", stored."available"), coalesce(excluded."currency", stored."currency"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- finance.balances: tombstone
UPDATE "finance"."balances" AS stored
SET "account_id" = NULL, "day" = NULL, "current" = NULL, "available" = NULL, "currency" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- finance.balances: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "finance"."balances" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- finance.balances: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "account_id", "day", "current", "available", "currency", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "finance"."balances" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- finance.balances: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "account_id", "day", "current", "available", "currency", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "finance"."balances" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- finance.balances: restore
INSERT INTO "finance"."balances" (user_id, "account_id", "day", "current", "available", "currency")
SELECT $1, told."account_id", told."day", told."current", told."available", told."currency" FROM jsonb_to_recordset($2::text::jsonb) AS told("account_id" uuid, "day" date, "current" numeric, "available" numeric, "currency" text);

-- finance.balances: tombstone by account_id
UPDATE "finance"."balances" AS stored
SET "account_id" = NULL, "day" = NULL, "current" = NULL, "available" = NULL, "currency" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."account_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- finance.balances: resolve account_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "finance"."accounts" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'finance.accounts'
        AND pending.child_target = 'finance.balances' AND pending.field = 'account_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.removed_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "finance"."balances" AS child
SET "account_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- erase of connections: finance.transactions
DELETE FROM "finance"."transactions" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: finance.holdings
DELETE FROM "finance"."holdings" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: finance.balances
DELETE FROM "finance"."balances" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: evidence.balances
DELETE FROM "evidence"."balances" WHERE user_id = $1 AND account_id IN (
    SELECT id FROM finance.accounts WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
);

-- erase of connections: finance.accounts
DELETE FROM "finance"."accounts" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count before an erase
SELECT 'finance.transactions' AS place, count(*) AS n FROM "finance"."transactions" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'finance.holdings' AS place, count(*) AS n FROM "finance"."holdings" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'finance.balances' AS place, count(*) AS n FROM "finance"."balances" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'evidence.balances' AS place, count(*) AS n FROM "evidence"."balances" WHERE user_id = $1 AND account_id IN (
    SELECT id FROM finance.accounts WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
)
UNION ALL SELECT 'finance.accounts' AS place, count(*) AS n FROM "finance"."accounts" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count of a connection
SELECT sum(n)::bigint AS n FROM (
SELECT count(*) AS n FROM "finance"."transactions" WHERE user_id = $1 AND connection_id = $2 AND removed_at IS NULL
UNION ALL SELECT count(*) AS n FROM "finance"."accounts" WHERE user_id = $1 AND connection_id = $2 AND removed_at IS NULL
UNION ALL SELECT count(*) AS n FROM "finance"."holdings" WHERE user_id = $1 AND connection_id = $2 AND removed_at IS NULL
UNION ALL SELECT count(*) AS n FROM "finance"."balances" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
) AS counted;

