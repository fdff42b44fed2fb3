-- home.entities: upsert, absent clears
INSERT INTO "home"."entities" AS stored (id, user_id, connection_id, source_id, "entity_id", "domain", "name", "area_id", "device_id", "device_class", "unit", "state", "state_num", "attributes", "last_changed", "last_updated", "is_available", "supported_features", "is_hidden", "is_disabled", "category", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."entity_id", pushed."domain", pushed."name", pushed."area_id", pushed."device_id", pushed."device_class", pushed."unit", pushed."state", pushed."state_num", pushed."attributes", pushed."last_changed", pushed."last_updated", pushed."is_available", pushed."supported_features", pushed."is_hidden", pushed."is_disabled", pushed."category", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "entity_id" text, "domain" text, "name" text, "area_id" uuid, "device_id" uuid, "device_class" text, "unit" text, "state" text, "state_num" double precision, "attributes" jsonb, "last_changed" timestamptz, "last_updated" timestamptz, "is_available" boolean, "supported_features" integer, "is_hidden" boolean, "is_disabled" boolean, "category" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "entity_id" = excluded."entity_id", "domain" = excluded."domain", "name" = excluded."name", "area_id" = excluded."area_id", "device_id" = excluded."device_id", "device_class" = excluded."device_class", "unit" = excluded."unit", "state" = excluded."state", "state_num" = excluded."state_num", "attributes" = excluded."attributes", "last_changed" = excluded."last_changed", "last_updated" = excluded."last_updated", "is_available" = excluded."is_available", "supported_features" = excluded."supported_features", "is_hidden" = excluded."is_hidden", "is_disabled" = excluded."is_disabled", "category" = excluded."category", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."entity_id", stored."domain", stored."name", stored."area_id", stored."device_id", stored."device_class", stored."unit", stored."state", stored."state_num", stored."attributes", stored."last_changed", stored."last_updated", stored."is_available", stored."supported_features", stored."is_hidden", stored."is_disabled", stored."category", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."entity_id", excluded."domain", excluded."name", excluded."area_id", excluded."device_id", excluded."device_class", excluded."unit", excluded."state", excluded."state_num", excluded."attributes", excluded."last_changed", excluded."last_updated", excluded."is_available", excluded."supported_features", excluded."is_hidden", excluded."is_disabled", excluded."category", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- home.entities: upsert, absent stays
INSERT INTO "home"."entities" AS stored (id, user_id, connection_id, source_id, "entity_id", "domain", "name", "area_id", "device_id", "device_class", "unit", "state", "state_num", "attributes", "last_changed", "last_updated", "is_available", "supported_features", "is_hidden", "is_disabled", "category", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."entity_id", pushed."domain", pushed."name", pushed."area_id", pushed."device_id", pushed."device_class", pushed."unit", pushed."state", pushed."state_num", pushed."attributes", pushed."last_changed", pushed."last_updated", pushed."is_available", pushed."supported_features", pushed."is_hidden", pushed."is_disabled", pushed."category", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "entity_id" text, "domain" text, "name" text, "area_id" uuid, "device_id" uuid, "device_class" text, "unit" text, "state" text, "state_num" double precision, "attributes" jsonb, "last_changed" timestamptz, "last_updated" timestamptz, "is_available" boolean, "supported_features" integer, "is_hidden" boolean, "is_disabled" boolean, "category" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "entity_id" = coalesce(excluded."entity_id", stored."entity_id"), "domain" = coalesce(excluded."domain", stored."domain"), "name" = coalesce(excluded."name", stored."name"), "area_id" = coalesce(excluded."area_id", stored."area_id"), "device_id" = coalesce(excluded."device_id", stored."device_id"), "device_class" = coalesce(excluded."device_class", stored."device_class"), "unit" = coalesce(excluded."unit", stored."unit"), "state" = coalesce(excluded."state", stored."state"), "state_num" = coalesce(excluded."state_num", stored."state_num"), "attributes" = coalesce(excluded."attributes", stored."attributes"), "last_changed" = coalesce(excluded."last_changed", stored."last_changed"), "last_updated" = coalesce(excluded."last_updated", stored."last_updated"), "is_available" = coalesce(excluded."is_available", stored."is_available"), "supported_features" = coalesce(excluded."supported_features", stored."supported_features"), "is_hidden" = coalesce(excluded."is_hidden", stored."is_hidden"), "is_disabled" = coalesce(excluded."is_disabled", stored."is_disabled"), "category" = coalesce(excluded."category", stored."category"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."entity_id", stored."domain", stored."name", stored."area_id", stored."device_id", stored."device_class", stored."unit", stored."state", stored."state_num", stored."attributes", stored."last_changed", stored."last_updated", stored."is_available", stored."supported_features", stored."is_hidden", stored."is_disabled", stored."category", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."entity_id", stored."entity_id"), coalesce(excluded."domain", stored."domain"), coalesce(excluded."name", stored."name"), coalesce(excluded."area_id", stored."area_id"), coalesce(excluded."device_id", stored."device_id"), coalesce(excluded."device_class", stored."device_class"), coalesce(excluded."unit", stored."unit"), coalesce(excluded."state", stored."state"), coalesce(excluded."state_num", stored."state_num"), coalesce(excluded."attributes", stored."attributes"), coalesce(excluded."last_changed", stored."last_changed"), coalesce(excluded."last_updated", stored."last_updated"), coalesce(excluded."is_available", stored."is_available"), coalesce(excluded."supported_features", stored."supported_features"), coalesce(excluded."is_hidden", stored."is_hidden"), coalesce(excluded."is_disabled", stored."is_disabled"), coalesce(excluded."category", stored."category"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- home.entities: tombstone
UPDATE "home"."entities" AS stored
SET "entity_id" = NULL, "domain" = NULL, "name" = NULL, "area_id" = NULL, "device_id" = NULL, "device_class" = NULL, "unit" = NULL, "state" = NULL, "state_num" = NULL, "attributes" = NULL, "last_changed" = NULL, "last_updated" = NULL, "is_available" = NULL, "supported_features" = NULL, "is_hidden" = NULL, "is_disabled" = NULL, "category" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- home.entities: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "home"."entities" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- home.entities: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "entity_id", "domain", "name", "area_id", "device_id", "device_class", "unit", "state", "state_num", "attributes", "last_changed", "last_updated", "is_available", "supported_features", "is_hidden", "is_disabled", "category", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "home"."entities" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- home.entities: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "entity_id", "domain", "name", "area_id", "device_id", "device_class", "unit", "state", "state_num", "attributes", "last_changed", "last_updated", "is_available", "supported_features", "is_hidden", "is_disabled", "category", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "home"."entities" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- home.entities: restore
INSERT INTO "home"."entities" (user_id, "entity_id", "domain", "name", "area_id", "device_id", "device_class", "unit", "state", "state_num", "attributes", "last_changed", "last_updated", "is_available", "supported_features", "is_hidden", "is_disabled", "category")
SELECT $1, told."entity_id", told."domain", told."name", told."area_id", told."device_id", told."device_class", told."unit", told."state", told."state_num", told."attributes", told."last_changed", told."last_updated", told."is_available", told."supported_features", told."is_hidden", told."is_disabled", told."category" FROM jsonb_to_recordset($2::text::jsonb) AS told("entity_id" text, "domain" text, "name" text, "area_id" uuid, "device_id" uuid, "device_class" text, "unit" text, "state" text, "state_num" double precision, "attributes" jsonb, "last_changed" timestamptz, "last_updated" timestamptz, "is_available" boolean, "supported_features" integer, "is_hidden" boolean, "is_disabled" boolean, "category" text);

-- home.entities: tombstone by area_id
UPDATE "home"."entities" AS stored
SET "entity_id" = NULL, "domain" = NULL, "name" = NULL, "area_id" = NULL, "device_id" = NULL, "device_class" = NULL, "unit" = NULL, "state" = NULL, "state_num" = NULL, "attributes" = NULL, "last_changed" = NULL, "last_updated" = NULL, "is_available" = NULL, "supported_features" = NULL, "is_hidden" = NULL, "is_disabled" = NULL, "category" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."area_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- home.entities: resolve area_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "home"."areas" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'home.areas'
        AND pending.child_target = 'home.entities' AND pending.field = 'area_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "home"."entities" AS child
SET "area_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- home.entities: tombstone by device_id
UPDATE "home"."entities" AS stored
SET "entity_id" = NULL, "domain" = NULL, "name" = NULL, "area_id" = NULL, "device_id" = NULL, "device_class" = NULL, "unit" = NULL, "state" = NULL, "state_num" = NULL, "attributes" = NULL, "last_changed" = NULL, "last_updated" = NULL, "is_available" = NULL, "supported_features" = NULL, "is_hidden" = NULL, "is_disabled" = NULL, "category" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."device_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- home.entities: resolve device_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "home"."devices" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'home.devices'
        AND pending.child_target = 'home.entities' AND pending.field = 'device_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "home"."entities" AS child
SET "device_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- home.history: upsert, absent clears
INSERT INTO "home"."history" AS stored (id, user_id, connection_id, source_id, "entity_id", "state", "state_num", "changed_at", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."entity_id", pushed."state", pushed."state_num", pushed."changed_at", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "entity_id" uuid, "state" text, "state_num" double precision, "changed_at" timestamptz, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "entity_id" = excluded."entity_id", "state" = excluded."state", "state_num" = excluded."state_num", "changed_at" = excluded."changed_at", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."entity_id", stored."state", stored."state_num", stored."changed_at", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."entity_id", excluded."state", excluded."state_num", excluded."changed_at", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- home.history: upsert, absent stays
INSERT INTO "home"."history" AS stored (id, user_id, connection_id, source_id, "entity_id", "state", "state_num", "changed_at", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."entity_id", pushed."state", pushed."state_num", pushed."changed_at", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "entity_id" uuid, "state" text, "state_num" double precision, "changed_at" timestamptz, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "entity_id" = coalesce(excluded."entity_id", stored."entity_id"), "state" = coalesce(excluded."state", stored."state"), "state_num" = coalesce(excluded."state_num", stored."state_num"), "changed_at" = coalesce(excluded."changed_at", stored."changed_at"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."entity_id", stored."state", stored."state_num", stored."changed_at", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."entity_id", stored."entity_id"), coalesce(excluded."state", stored."state"), coalesce(excluded."state_num", stored."state_num"), coalesce(excluded."changed_at", stored."changed_at"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- home.history: tombstone
UPDATE "home"."history" AS stored
SET "entity_id" = NULL, "state" = NULL, "state_num" = NULL, "changed_at" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- home.history: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "home"."history" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- home.history: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "entity_id", "state", "state_num", "changed_at", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "home"."history" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- home.history: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "entity_id", "state", "state_num", "changed_at", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "home"."history" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- home.history: restore
INSERT INTO "home"."history" (user_id, "entity_id", "state", "state_num", "changed_at")
SELECT $1, told."entity_id", told."state", told."state_num", told."changed_at" FROM jsonb_to_recordset($2::text::jsonb) AS told("entity_id" uuid, "state" text, "state_num" double precision, "changed_at" timestamptz);

-- home.history: tombstone by entity_id
UPDATE "home"."history" AS stored
SET "entity_id" = NULL, "state" = NULL, "state_num" = NULL, "changed_at" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."entity_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- home.history: resolve entity_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "home"."entities" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'home.entities'
        AND pending.child_target = 'home.history' AND pending.field = 'entity_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "home"."history" AS child
SET "entity_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- home.areas: upsert, absent clears
INSERT INTO "home"."areas" AS stored (id, user_id, connection_id, source_id, "name", "floor", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."floor", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "floor" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = excluded."name", "floor" = excluded."floor", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."floor", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."name", excluded."floor", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- home.areas: upsert, absent stays
INSERT INTO "home"."areas" AS stored (id, user_id, connection_id, source_id, "name", "floor", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."floor", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "floor" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = coalesce(excluded."name", stored."name"), "floor" = coalesce(excluded."floor", stored."floor"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."floor", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."name", stored."name"), coalesce(excluded."floor", stored."floor"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- home.areas: tombstone
UPDATE "home"."areas" AS stored
SET "name" = NULL, "floor" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- home.areas: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "home"."areas" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- home.areas: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "floor", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "home"."areas" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- home.areas: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "floor", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "home"."areas" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- home.areas: restore
INSERT INTO "home"."areas" (user_id, "name", "floor")
SELECT $1, told."name", told."floor" FROM jsonb_to_recordset($2::text::jsonb) AS told("name" text, "floor" text);

-- home.devices: upsert, absent clears
INSERT INTO "home"."devices" AS stored (id, user_id, connection_id, source_id, "name", "manufacturer", "model", "sw_version", "area_id", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."manufacturer", pushed."model", pushed."sw_version", pushed."area_id", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "manufacturer" text, "model" text, "sw_version" text, "area_id" uuid, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = excluded."name", "manufacturer" = excluded."manufacturer", "model" = excluded."model", "sw_version" = excluded."sw_version", "area_id" = excluded."area_id", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."manufacturer", stored."model", stored."sw_version", stored."area_id", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."name", excluded."manufacturer", excluded."model", excluded."sw_version", excluded."area_id", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- home.devices: upsert, absent stays
INSERT INTO "home"."devices" AS stored (id, user_id, connection_id, source_id, "name", "manufacturer", "model", "sw_version", "area_id", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."manufacturer", pushed."model", pushed."sw_version", pushed."area_id", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "manufacturer" text, "model" text, "sw_version" text, "area_id" uuid, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = coalesce(excluded."name", stored."name"), "manufacturer" = coalesce(excluded."manufacturer", stored."manufacturer"), "model" = coalesce(excluded."model", stored."model"), "sw_version" = coalesce(excluded."sw_version", stored."sw_version"), "area_id" = coalesce(excluded."area_id", stored."area_id"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."manufacturer", stored."model", stored."sw_version", stored."area_id", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."name", stored."name"), coalesce(excluded."manufacturer", stored."manufacturer"), coalesce(excluded."model", stored."model"), coalesce(excluded."sw_version", stored."sw_version"), coalesce(excluded."area_id", stored."area_id"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- home.devices: tombstone
UPDATE "home"."devices" AS stored
SET "name" = NULL, "manufacturer" = NULL, "model" = NULL, "sw_version" = NULL, "area_id" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- home.devices: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "home"."devices" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- home.devices: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "manufacturer", "model", "sw_version", "area_id", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "home"."devices" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- home.devices: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "manufacturer", "model", "sw_version", "area_id", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "home"."devices" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- home.devices: restore
INSERT INTO "home"."devices" (user_id, "name", "manufacturer", "model", "sw_version", "area_id")
SELECT $1, told."name", told."manufacturer", told."model", told."sw_version", told."area_id" FROM jsonb_to_recordset($2::text::jsonb) AS told("name" text, "manufacturer" text, "model" text, "sw_version" text, "area_id" uuid);

-- home.devices: tombstone by area_id
UPDATE "home"."devices" AS stored
SET "name" = NULL, "manufacturer" = NULL, "model" = NULL, "sw_version" = NULL, "area_id" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."area_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- home.devices: resolve area_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "home"."areas" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'home.areas'
        AND pending.child_target = 'home.devices' AND pending.field = 'area_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "home"."devices" AS child
SET "area_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- erase of connections: home.history
DELETE FROM "home"."history" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: home.entities
DELETE FROM "home"."entities" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: home.devices
DELETE FROM "home"."devices" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: home.areas
DELETE FROM "home"."areas" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count before an erase
SELECT 'home.history' AS place, count(*) AS n FROM "home"."history" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'home.entities' AS place, count(*) AS n FROM "home"."entities" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'home.devices' AS place, count(*) AS n FROM "home"."devices" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'home.areas' AS place, count(*) AS n FROM "home"."areas" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count of a connection
SELECT sum(n)::bigint AS n FROM (
SELECT count(*) AS n FROM "home"."entities" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "home"."history" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "home"."areas" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "home"."devices" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
) AS counted;

