-- health.samples: upsert, absent clears
INSERT INTO "health"."samples" AS stored (id, user_id, connection_id, source_id, "device_id", "metric", "value", "unit", "start_at", "end_at", "zone_offset", "external_id", "is_daily_total", "meta", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."device_id", pushed."metric", pushed."value", pushed."unit", pushed."start_at", pushed."end_at", pushed."zone_offset", pushed."external_id", pushed."is_daily_total", pushed."meta", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "device_id" uuid, "metric" text, "value" double precision, "unit" text, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "external_id" text, "is_daily_total" boolean, "meta" jsonb, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "device_id" = excluded."device_id", "metric" = excluded."metric", "value" = excluded."value", "unit" = excluded."unit", "start_at" = excluded."start_at", "end_at" = excluded."end_at", "zone_offset" = excluded."zone_offset", "external_id" = excluded."external_id", "is_daily_total" = excluded."is_daily_total", "meta" = excluded."meta", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."device_id", stored."metric", stored."value", stored."unit", stored."start_at", stored."end_at", stored."zone_offset", stored."external_id", stored."is_daily_total", stored."meta", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."device_id", excluded."metric", excluded."value", excluded."unit", excluded."start_at", excluded."end_at", excluded."zone_offset", excluded."external_id", excluded."is_daily_total", excluded."meta", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- health.samples: upsert, absent stays
INSERT INTO "health"."samples" AS stored (id, user_id, connection_id, source_id, "device_id", "metric", "value", "unit", "start_at", "end_at", "zone_offset", "external_id", "is_daily_total", "meta", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."device_id", pushed."metric", pushed."value", pushed."unit", pushed."start_at", pushed."end_at", pushed."zone_offset", pushed."external_id", pushed."is_daily_total", pushed."meta", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "device_id" uuid, "metric" text, "value" double precision, "unit" text, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "external_id" text, "is_daily_total" boolean, "meta" jsonb, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "device_id" = coalesce(excluded."device_id", stored."device_id"), "metric" = coalesce(excluded."metric", stored."metric"), "value" = coalesce(excluded."value", stored."value"), "unit" = coalesce(excluded."unit", stored."unit"), "start_at" = coalesce(excluded."start_at", stored."start_at"), "end_at" = coalesce(excluded."end_at", stored."end_at"), "zone_offset" = coalesce(excluded."zone_offset", stored."zone_offset"), "external_id" = coalesce(excluded."external_id", stored."external_id"), "is_daily_total" = coalesce(excluded."is_daily_total", stored."is_daily_total"), "meta" = coalesce(excluded."meta", stored."meta"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."device_id", stored."metric", stored."value", stored."unit", stored."start_at", stored."end_at", stored."zone_offset", stored."external_id", stored."is_daily_total", stored."meta", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."device_id", stored."device_id"), coalesce(excluded."metric", stored."metric"), coalesce(excluded."value", stored."value"), coalesce(excluded."unit", stored."unit"), coalesce(excluded."start_at", stored."start_at"), coalesce(excluded."end_at", stored."end_at"), coalesce(excluded."zone_offset", stored."zone_offset"), coalesce(excluded."external_id", stored."external_id"), coalesce(excluded."is_daily_total", stored."is_daily_total"), coalesce(excluded."meta", stored."meta"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- health.samples: tombstone
UPDATE "health"."samples" AS stored
SET "device_id" = NULL, "metric" = NULL, "value" = NULL, "unit" = NULL, "start_at" = NULL, "end_at" = NULL, "zone_offset" = NULL, "external_id" = NULL, "is_daily_total" = NULL, "meta" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- health.samples: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "health"."samples" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- health.samples: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "device_id", "metric", "value", "unit", "start_at", "end_at", "zone_offset", "external_id", "is_daily_total", "meta", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."samples" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.samples: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "device_id", "metric", "value", "unit", "start_at", "end_at", "zone_offset", "external_id", "is_daily_total", "meta", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."samples" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.samples: restore
INSERT INTO "health"."samples" (user_id, "device_id", "metric", "value", "unit", "start_at", "end_at", "zone_offset", "external_id", "is_daily_total", "meta")
SELECT $1, told."device_id", told."metric", told."value", told."unit", told."start_at", told."end_at", told."zone_offset", told."external_id", told."is_daily_total", told."meta" FROM jsonb_to_recordset($2::text::jsonb) AS told("device_id" uuid, "metric" text, "value" double precision, "unit" text, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "external_id" text, "is_daily_total" boolean, "meta" jsonb);

-- health.samples: tombstone by device_id
UPDATE "health"."samples" AS stored
SET "device_id" = NULL, "metric" = NULL, "value" = NULL, "unit" = NULL, "start_at" = NULL, "end_at" = NULL, "zone_offset" = NULL, "external_id" = NULL, "is_daily_total" = NULL, "meta" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."device_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- health.samples: resolve device_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "health"."devices" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'health.devices'
        AND pending.child_target = 'health.samples' AND pending.field = 'device_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "health"."samples" AS child
SET "device_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- health.days: upsert, absent clears
INSERT INTO "evidence"."days" AS stored (id, user_id, connection_id, source_id, "day", "steps", "distance_m", "energy_kcal", "flights_climbed", "exercise_minutes", "resting_heart_rate", "hrv_rmssd_ms", "recovery_score", "strain", "sleep_minutes", "weight_kg", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."day", pushed."steps", pushed."distance_m", pushed."energy_kcal", pushed."flights_climbed", pushed."exercise_minutes", pushed."resting_heart_rate", pushed."hrv_rmssd_ms", pushed."recovery_score", pushed."strain", pushed."sleep_minutes", pushed."weight_kg", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "day" date, "steps" integer, "distance_m" double precision, "energy_kcal" double precision, "flights_climbed" integer, "exercise_minutes" double precision, "resting_heart_rate" double precision, "hrv_rmssd_ms" double precision, "recovery_score" double precision, "strain" double precision, "sleep_minutes" double precision, "weight_kg" double precision, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "day" = excluded."day", "steps" = excluded."steps", "distance_m" = excluded."distance_m", "energy_kcal" = excluded."energy_kcal", "flights_climbed" = excluded."flights_climbed", "exercise_minutes" = excluded."exercise_minutes", "resting_heart_rate" = excluded."resting_heart_rate", "hrv_rmssd_ms" = excluded."hrv_rmssd_ms", "recovery_score" = excluded."recovery_score", "strain" = excluded."strain", "sleep_minutes" = excluded."sleep_minutes", "weight_kg" = excluded."weight_kg", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."day", stored."steps", stored."distance_m", stored."energy_kcal", stored."flights_climbed", stored."exercise_minutes", stored."resting_heart_rate", stored."hrv_rmssd_ms", stored."recovery_score", stored."strain", stored."sleep_minutes", stored."weight_kg", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."day", excluded."steps", excluded."distance_m", excluded."energy_kcal", excluded."flights_climbed", excluded."exercise_minutes", excluded."resting_heart_rate", excluded."hrv_rmssd_ms", excluded."recovery_score", excluded."strain", excluded."sleep_minutes", excluded."weight_kg", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- health.days: upsert, absent stays
INSERT INTO "evidence"."days" AS stored (id, user_id, connection_id, source_id, "day", "steps", "distance_m", "energy_kcal", "flights_climbed", "exercise_minutes", "resting_heart_rate", "hrv_rmssd_ms", "recovery_score", "strain", "sleep_minutes", "weight_kg", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."day", pushed."steps", pushed."distance_m", pushed."energy_kcal", pushed."flights_climbed", pushed."exercise_minutes", pushed."resting_heart_rate", pushed."hrv_rmssd_ms", pushed."recovery_score", pushed."strain", pushed."sleep_minutes", pushed."weight_kg", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "day" date, "steps" integer, "distance_m" double precision, "energy_kcal" double precision, "flights_climbed" integer, "exercise_minutes" double precision, "resting_heart_rate" double precision, "hrv_rmssd_ms" double precision, "recovery_score" double precision, "strain" double precision, "sleep_minutes" double precision, "weight_kg" double precision, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "day" = coalesce(excluded."day", stored."day"), "steps" = coalesce(excluded."steps", stored."steps"), "distance_m" = coalesce(excluded."distance_m", stored."distance_m"), "energy_kcal" = coalesce(excluded."energy_kcal", stored."energy_kcal"), "flights_climbed" = coalesce(excluded."flights_climbed", stored."flights_climbed"), "exercise_minutes" = coalesce(excluded."exercise_minutes", stored."exercise_minutes"), "resting_heart_rate" = coalesce(excluded."resting_heart_rate", stored."resting_heart_rate"), "hrv_rmssd_ms" = coalesce(excluded."hrv_rmssd_ms", stored."hrv_rmssd_ms"), "recovery_score" = coalesce(excluded."recovery_score", stored."recovery_score"), "strain" = coalesce(excluded."strain", stored."strain"), "sleep_minutes" = coalesce(excluded."sleep_minutes", stored."sleep_minutes"), "weight_kg" = coalesce(excluded."weight_kg", stored."weight_kg"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."day", stored."steps", stored."distance_m", stored."energy_kcal", stored."flights_climbed", stored."exercise_minutes", stored."resting_heart_rate", stored."hrv_rmssd_ms", stored."recovery_score", stored."strain", stored."sleep_minutes", stored."weight_kg", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."day", stored."day"), coalesce(excluded."steps", stored."steps"), coalesce(excluded."distance_m", stored."distance_m"), coalesce(excluded."energy_kcal", stored."energy_kcal"), coalesce(excluded."flights_climbed", stored."flights_climbed"), coalesce(excluded."exercise_minutes", stored."exercise_minutes"), coalesce(excluded."resting_heart_rate", stored."resting_heart_rate"), coalesce(excluded."hrv_rmssd_ms", stored."hrv_rmssd_ms"), coalesce(excluded."recovery_score", stored."recovery_score"), coalesce(excluded."strain", stored."strain"), coalesce(excluded."sleep_minutes", stored."sleep_minutes"), coalesce(excluded."weight_kg", stored."weight_kg"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- health.days: tombstone
UPDATE "evidence"."days" AS stored
SET "day" = NULL, "steps" = NULL, "distance_m" = NULL, "energy_kcal" = NULL, "flights_climbed" = NULL, "exercise_minutes" = NULL, "resting_heart_rate" = NULL, "hrv_rmssd_ms" = NULL, "recovery_score" = NULL, "strain" = NULL, "sleep_minutes" = NULL, "weight_kg" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- health.days: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "evidence"."days" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- health.days: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "day", "steps", "distance_m", "energy_kcal", "flights_climbed", "exercise_minutes", "resting_heart_rate", "hrv_rmssd_ms", "recovery_score", "strain", "sleep_minutes", "weight_kg", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."days" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.days: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "day", "steps", "distance_m", "energy_kcal", "flights_climbed", "exercise_minutes", "resting_heart_rate", "hrv_rmssd_ms", "recovery_score", "strain", "sleep_minutes", "weight_kg", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "evidence"."days" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.days: restore
INSERT INTO "health"."days" (user_id, "day", "steps", "distance_m", "energy_kcal", "flights_climbed", "exercise_minutes", "resting_heart_rate", "hrv_rmssd_ms", "recovery_score", "strain", "sleep_minutes", "weight_kg")
SELECT $1, told."day", told."steps", told."distance_m", told."energy_kcal", told."flights_climbed", told."exercise_minutes", told."resting_heart_rate", told."hrv_rmssd_ms", told."recovery_score", told."strain", told."sleep_minutes", told."weight_kg" FROM jsonb_to_recordset($2::text::jsonb) AS told("day" date, "steps" integer, "distance_m" double precision, "energy_kcal" double precision, "flights_climbed" integer, "exercise_minutes" double precision, "resting_heart_rate" double precision, "hrv_rmssd_ms" double precision, "recovery_score" double precision, "strain" double precision, "sleep_minutes" double precision, "weight_kg" double precision);

-- health.sleeps: upsert, absent clears
INSERT INTO "health"."sleeps" AS stored (id, user_id, connection_id, source_id, "start_at", "end_at", "zone_offset", "cycle_source_id", "is_nap", "score_state", "in_bed_ms", "awake_ms", "light_ms", "deep_ms", "rem_ms", "no_data_ms", "cycle_count", "disturbance_count", "respiratory_rate", "performance_percent", "consistency_percent", "efficiency_percent", "need_baseline_ms", "need_debt_ms", "need_strain_ms", "need_nap_ms", "stages", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."start_at", pushed."end_at", pushed."zone_offset", pushed."cycle_source_id", pushed."is_nap", pushed."score_state", pushed."in_bed_ms", pushed."awake_ms", pushed."light_ms", pushed."deep_ms", pushed."rem_ms", pushed."no_data_ms", pushed."cycle_count", pushed."disturbance_count", pushed."respiratory_rate", pushed."performance_percent", pushed."consistency_percent", pushed."efficiency_percent", pushed."need_baseline_ms", pushed."need_debt_ms", pushed."need_strain_ms", pushed."need_nap_ms", pushed."stages", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "cycle_source_id" text, "is_nap" boolean, "score_state" text, "in_bed_ms" bigint, "awake_ms" bigint, "light_ms" bigint, "deep_ms" bigint, "rem_ms" bigint, "no_data_ms" bigint, "cycle_count" integer, "disturbance_count" integer, "respiratory_rate" double precision, "performance_percent" double precision, "consistency_percent" double precision, "efficiency_percent" double precision, "need_baseline_ms" bigint, "need_debt_ms" bigint, "need_strain_ms" bigint, "need_nap_ms" bigint, "stages" jsonb, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "start_at" = excluded."start_at", "end_at" = excluded."end_at", "zone_offset" = excluded."zone_offset", "cycle_source_id" = excluded."cycle_source_id", "is_nap" = excluded."is_nap", "score_state" = excluded."score_state", "in_bed_ms" = excluded."in_bed_ms", "awake_ms" = excluded."awake_ms", "light_ms" = excluded."light_ms", "deep_ms" = excluded."deep_ms", "rem_ms" = excluded."rem_ms", "no_data_ms" = excluded."no_data_ms", "cycle_count" = excluded."cycle_count", "disturbance_count" = excluded."disturbance_count", "respiratory_rate" = excluded."respiratory_rate", "performance_percent" = excluded."performance_percent", "consistency_percent" = excluded."consistency_percent", "efficiency_percent" = excluded."efficiency_percent", "need_baseline_ms" = excluded."need_baseline_ms", "need_debt_ms" = excluded."need_debt_ms", "need_strain_ms" = excluded."need_strain_ms", "need_nap_ms" = excluded."need_nap_ms", "stages" = excluded."stages", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."start_at", stored."end_at", stored."zone_offset", stored."cycle_source_id", stored."is_nap", stored."score_state", stored."in_bed_ms", stored."awake_ms", stored."light_ms", stored."deep_ms", stored."rem_ms", stored."no_data_ms", stored."cycle_count", stored."disturbance_count", stored."respiratory_rate", stored."performance_percent", stored."consistency_percent", stored."efficiency_percent", stored."need_baseline_ms", stored."need_debt_ms", stored."need_strain_ms", stored."need_nap_ms", stored."stages", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."start_at", excluded."end_at", excluded."zone_offset", excluded."cycle_source_id", excluded."is_nap", excluded."score_state", excluded."in_bed_ms", excluded."awake_ms", excluded."light_ms", excluded."deep_ms", excluded."rem_ms", excluded."no_data_ms", excluded."cycle_count", excluded."disturbance_count", excluded."respiratory_rate", excluded."performance_percent", excluded."consistency_percent", excluded."efficiency_percent", excluded."need_baseline_ms", excluded."need_debt_ms", excluded."need_strain_ms", excluded."need_nap_ms", excluded."stages", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- health.sleeps: upsert, absent stays
INSERT INTO "health"."sleeps" AS stored (id, user_id, connection_id, source_id, "start_at", "end_at", "zone_offset", "cycle_source_id", "is_nap", "score_state", "in_bed_ms", "awake_ms", "light_ms", "deep_ms", "rem_ms", "no_data_ms", "cycle_count", "disturbance_count", "respiratory_rate", "performance_percent", "consistency_percent", "efficiency_percent", "need_baseline_ms", "need_debt_ms", "need_strain_ms", "need_nap_ms", "stages", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."start_at", pushed."end_at", pushed."zone_offset", pushed."cycle_source_id", pushed."is_nap", pushed."score_state", pushed."in_bed_ms", pushed."awake_ms", pushed."light_ms", pushed."deep_ms", pushed."rem_ms", pushed."no_data_ms", pushed."cycle_count", pushed."disturbance_count", pushed."respiratory_rate", pushed."performance_percent", pushed."consistency_percent", pushed."efficiency_percent", pushed."need_baseline_ms", pushed."need_debt_ms", pushed."need_strain_ms", pushed."need_nap_ms", pushed."stages", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "cycle_source_id" text, "is_nap" boolean, "score_state" text, "in_bed_ms" bigint, "awake_ms" bigint, "light_ms" bigint, "deep_ms" bigint, "rem_ms" bigint, "no_data_ms" bigint, "cycle_count" integer, "disturbance_count" integer, "respiratory_rate" double precision, "performance_percent" double precision, "consistency_percent" double precision, "efficiency_percent" double precision, "need_baseline_ms" bigint, "need_debt_ms" bigint, "need_strain_ms" bigint, "need_nap_ms" bigint, "stages" jsonb, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "start_at" = coalesce(excluded."start_at", stored."start_at"), "end_at" = coalesce(excluded."end_at", stored."end_at"), "zone_offset" = coalesce(excluded."zone_offset", stored."zone_offset"), "cycle_source_id" = coalesce(excluded."cycle_source_id", stored."cycle_source_id"), "is_nap" = coalesce(excluded."is_nap", stored."is_nap"), "score_state" = coalesce(excluded."score_state", stored."score_state"), "in_bed_ms" = coalesce(excluded."in_bed_ms", stored."in_bed_ms"), "awake_ms" = coalesce(excluded."awake_ms", stored."awake_ms"), "light_ms" = coalesce(excluded."light_ms", stored."light_ms"), "deep_ms" = coalesce(excluded."deep_ms", stored."deep_ms"), "rem_ms" = coalesce(excluded."rem_ms", stored."rem_ms"), "no_data_ms" = coalesce(excluded."no_data_ms", stored."no_data_ms"), "cycle_count" = coalesce(excluded."cycle_count", stored."cycle_count"), "disturbance_count" = coalesce(excluded."disturbance_count", stored."disturbance_count"), "respiratory_rate" = coalesce(excluded."respiratory_rate", stored."respiratory_rate"), "performance_percent" = coalesce(excluded."performance_percent", stored."performance_percent"), "consistency_percent" = coalesce(excluded."consistency_percent", stored."consistency_percent"), "efficiency_percent" = coalesce(excluded."efficiency_percent", stored."efficiency_percent"), "need_baseline_ms" = coalesce(excluded."need_baseline_ms", stored."need_baseline_ms"), "need_debt_ms" = coalesce(excluded."need_debt_ms", stored."need_debt_ms"), "need_strain_ms" = coalesce(excluded."need_strain_ms", stored."need_strain_ms"), "need_nap_ms" = coalesce(excluded."need_nap_ms", stored."need_nap_ms"), "stages" = coalesce(excluded."stages", stored."stages"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."start_at", stored."end_at", stored."zone_offset", stored."cycle_source_id", stored."is_nap", stored."score_state", stored."in_bed_ms", stored."awake_ms", stored."light_ms", stored."deep_ms", stored."rem_ms", stored."no_data_ms", stored."cycle_count", stored."disturbance_count", stored."respiratory_rate", stored."performance_percent", stored."consistency_percent", stored."efficiency_percent", stored."need_baseline_ms", stored."need_debt_ms", stored."need_strain_ms", stored."need_nap_ms", stored."stages", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."start_at", stored."start_at"), coalesce(excluded."end_at", stored."end_at"), coalesce(excluded."zone_offset", stored."zone_offset"), coalesce(excluded."cycle_source_id", stored."cycle_source_id"), coalesce(excluded."is_nap", stored."is_nap"), coalesce(excluded."score_state", stored."score_state"), coalesce(excluded."in_bed_ms", stored."in_bed_ms"), coalesce(excluded."awake_ms", stored."awake_ms"), coalesce(excluded."light_ms", stored."light_ms"), coalesce(excluded."deep_ms", stored."deep_ms"), coalesce(excluded."rem_ms", stored."rem_ms"), coalesce(excluded."no_data_ms", stored."no_data_ms"), coalesce(excluded."cycle_count", stored."cycle_count"), coalesce(excluded."disturbance_count", stored."disturbance_count"), coalesce(excluded."respiratory_rate", stored."respiratory_rate"), coalesce(excluded."performance_percent", stored."performance_percent"), coalesce(excluded."consistency_percent", stored."consistency_percent"), coalesce(excluded."efficiency_percent", stored."efficiency_percent"), coalesce(excluded."need_baseline_ms", stored."need_baseline_ms"), coalesce(excluded."need_debt_ms", stored."need_debt_ms"), coalesce(excluded."need_strain_ms", stored."need_strain_ms"), coalesce(excluded."need_nap_ms", stored."need_nap_ms"), coalesce(excluded."stages", stored."stages"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- health.sleeps: tombstone
UPDATE "health"."sleeps" AS stored
SET "start_at" = NULL, "end_at" = NULL, "zone_offset" = NULL, "cycle_source_id" = NULL, "is_nap" = NULL, "score_state" = NULL, "in_bed_ms" = NULL, "awake_ms" = NULL, "light_ms" = NULL, "deep_ms" = NULL, "rem_ms" = NULL, "no_data_ms" = NULL, "cycle_count" = NULL, "disturbance_count" = NULL, "respiratory_rate" = NULL, "performance_percent" = NULL, "consistency_percent" = NULL, "efficiency_percent" = NULL, "need_baseline_ms" = NULL, "need_debt_ms" = NULL, "need_strain_ms" = NULL, "need_nap_ms" = NULL, "stages" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- health.sleeps: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "health"."sleeps" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- health.sleeps: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "start_at", "end_at", "zone_offset", "cycle_source_id", "is_nap", "score_state", "in_bed_ms", "awake_ms", "light_ms", "deep_ms", "rem_ms", "no_data_ms", "cycle_count", "disturbance_count", "respiratory_rate", "performance_percent", "consistency_percent", "efficiency_percent", "need_baseline_ms", "need_debt_ms", "need_strain_ms", "need_nap_ms", "stages", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."sleeps" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.sleeps: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "start_at", "end_at", "zone_offset", "cycle_source_id", "is_nap", "score_state", "in_bed_ms", "awake_ms", "light_ms", "deep_ms", "rem_ms", "no_data_ms", "cycle_count", "disturbance_count", "respiratory_rate", "performance_percent", "consistency_percent", "efficiency_percent", "need_baseline_ms", "need_debt_ms", "need_strain_ms", "need_nap_ms", "stages", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."sleeps" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.sleeps: restore
INSERT INTO "health"."sleeps" (user_id, "start_at", "end_at", "zone_offset", "cycle_source_id", "is_nap", "score_state", "in_bed_ms", "awake_ms", "light_ms", "deep_ms", "rem_ms", "no_data_ms", "cycle_count", "disturbance_count", "respiratory_rate", "performance_percent", "consistency_percent", "efficiency_percent", "need_baseline_ms", "need_debt_ms", "need_strain_ms", "need_nap_ms", "stages")
SELECT $1, told."start_at", told."end_at", told."zone_offset", told."cycle_source_id", told."is_nap", told."score_state", told."in_bed_ms", told."awake_ms", told."light_ms", told."deep_ms", told."rem_ms", told."no_data_ms", told."cycle_count", told."disturbance_count", told."respiratory_rate", told."performance_percent", told."consistency_percent", told."efficiency_percent", told."need_baseline_ms", told."need_debt_ms", told."need_strain_ms", told."need_nap_ms", told."stages" FROM jsonb_to_recordset($2::text::jsonb) AS told("start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "cycle_source_id" text, "is_nap" boolean, "score_state" text, "in_bed_ms" bigint, "awake_ms" bigint, "light_ms" bigint, "deep_ms" bigint, "rem_ms" bigint, "no_data_ms" bigint, "cycle_count" integer, "disturbance_count" integer, "respiratory_rate" double precision, "performance_percent" double precision, "consistency_percent" double precision, "efficiency_percent" double precision, "need_baseline_ms" bigint, "need_debt_ms" bigint, "need_strain_ms" bigint, "need_nap_ms" bigint, "stages" jsonb);

-- health.workouts: upsert, absent clears
INSERT INTO "health"."workouts" AS stored (id, user_id, connection_id, source_id, "sport_name", "sport_id", "start_at", "end_at", "zone_offset", "score_state", "strain", "avg_heart_rate", "max_heart_rate", "kilojoules", "percent_recorded", "distance_m", "altitude_gain_m", "altitude_change_m", "zone_ms", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."sport_name", pushed."sport_id", pushed."start_at", pushed."end_at", pushed."zone_offset", pushed."score_state", pushed."strain", pushed."avg_heart_rate", pushed."max_heart_rate", pushed."kilojoules", pushed."percent_recorded", pushed."distance_m", pushed."altitude_gain_m", pushed."altitude_change_m", pushed."zone_ms", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "sport_name" text, "sport_id" integer, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "score_state" text, "strain" double precision, "avg_heart_rate" double precision, "max_heart_rate" double precision, "kilojoules" double precision, "percent_recorded" double precision, "distance_m" double precision, "altitude_gain_m" double precision, "altitude_change_m" double precision, "zone_ms" integer[], raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "sport_name" = excluded."sport_name", "sport_id" = excluded."sport_id", "start_at" = excluded."start_at", "end_at" = excluded."end_at", "zone_offset" = excluded."zone_offset", "score_state" = excluded."score_state", "strain" = excluded."strain", "avg_heart_rate" = excluded."avg_heart_rate", "max_heart_rate" = excluded."max_heart_rate", "kilojoules" = excluded."kilojoules", "percent_recorded" = excluded."percent_recorded", "distance_m" = excluded."distance_m", "altitude_gain_m" = excluded."altitude_gain_m", "altitude_change_m" = excluded."altitude_change_m", "zone_ms" = excluded."zone_ms", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."sport_name", stored."sport_id", stored."start_at", stored."end_at", stored."zone_offset", stored."score_state", stored."strain", stored."avg_heart_rate", stored."max_heart_rate", stored."kilojoules", stored."percent_recorded", stored."distance_m", stored."altitude_gain_m", stored."altitude_change_m", stored."zone_ms", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."sport_name", excluded."sport_id", excluded."start_at", excluded."end_at", excluded."zone_offset", excluded."score_state", excluded."strain", excluded."avg_heart_rate", excluded."max_heart_rate", excluded."kilojoules", excluded."percent_recorded", excluded."distance_m", excluded."altitude_gain_m", excluded."altitude_change_m", excluded."zone_ms", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- health.workouts: upsert, absent stays
INSERT INTO "health"."workouts" AS stored (id, user_id, connection_id, source_id, "sport_name", "sport_id", "start_at", "end_at", "zone_offset", "score_state", "strain", "avg_heart_rate", "max_heart_rate", "kilojoules", "percent_recorded", "distance_m", "altitude_gain_m", "altitude_change_m", "zone_ms", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."sport_name", pushed."sport_id", pushed."start_at", pushed."end_at", pushed."zone_offset", pushed."score_state", pushed."strain", pushed."avg_heart_rate", pushed."max_heart_rate", pushed."kilojoules", pushed."percent_recorded", pushed."distance_m", pushed."altitude_gain_m", pushed."altitude_change_m", pushed."zone_ms", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "sport_name" text, "sport_id" integer, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "score_state" text, "strain" double precision, "avg_heart_rate" double precision, "max_heart_rate" double precision, "kilojoules" double precision, "percent_recorded" double precision, "distance_m" double precision, "altitude_gain_m" double precision, "altitude_change_m" double precision, "zone_ms" integer[], raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "sport_name" = coalesce(excluded."sport_name", stored."sport_name"), "sport_id" = coalesce(excluded."sport_id", stored."sport_id"), "start_at" = coalesce(excluded."start_at", stored."start_at"), "end_at" = coalesce(excluded."end_at", stored."end_at"), "zone_offset" = coalesce(excluded."zone_offset", stored."zone_offset"), "score_state" = coalesce(excluded."score_state", stored."score_state"), "strain" = coalesce(excluded."strain", stored."strain"), "avg_heart_rate" = coalesce(excluded."avg_heart_rate", stored."avg_heart_rate"), "max_heart_rate" = coalesce(excluded."max_heart_rate", stored."max_heart_rate"), "kilojoules" = coalesce(excluded."kilojoules", stored."kilojoules"), "percent_recorded" = coalesce(excluded."percent_recorded", stored."percent_recorded"), "distance_m" = coalesce(excluded."distance_m", stored."distance_m"), "altitude_gain_m" = coalesce(excluded."altitude_gain_m", stored."altitude_gain_m"), "altitude_change_m" = coalesce(excluded."altitude_change_m", stored."altitude_change_m"), "zone_ms" = coalesce(excluded."zone_ms", stored."zone_ms"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."sport_name", stored."sport_id", stored."start_at", stored."end_at", stored."zone_offset", stored."score_state", stored."strain", stored."avg_heart_rate", stored."max_heart_rate", stored."kilojoules", stored."percent_recorded", stored."distance_m", stored."altitude_gain_m", stored."altitude_change_m", stored."zone_ms", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."sport_name", stored."sport_name"), coalesce(excluded."sport_id", stored."sport_id"), coalesce(excluded."start_at", stored."start_at"), coalesce(excluded."end_at", stored."end_at"), coalesce(excluded."zone_offset", stored."zone_offset"), coalesce(excluded."score_state", stored."score_state"), coalesce(excluded."strain", stored."strain"), coalesce(excluded."avg_heart_rate", stored."avg_heart_rate"), coalesce(excluded."max_heart_rate", stored."max_heart_rate"), coalesce(excluded."kilojoules", stored."kilojoules"), coalesce(excluded."percent_recorded", stored."percent_recorded"), coalesce(excluded."distance_m", stored."distance_m"), coalesce(excluded."altitude_gain_m", stored."altitude_gain_m"), coalesce(excluded."altitude_change_m", stored."altitude_change_m"), coalesce(excluded."zone_ms", stored."zone_ms"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- health.workouts: tombstone
UPDATE "health"."workouts" AS stored
SET "sport_name" = NULL, "sport_id" = NULL, "start_at" = NULL, "end_at" = NULL, "zone_offset" = NULL, "score_state" = NULL, "strain" = NULL, "avg_heart_rate" = NULL, "max_heart_rate" = NULL, "kilojoules" = NULL, "percent_recorded" = NULL, "distance_m" = NULL, "altitude_gain_m" = NULL, "altitude_change_m" = NULL, "zone_ms" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- health.workouts: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "health"."workouts" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- health.workouts: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "sport_name", "sport_id", "start_at", "end_at", "zone_offset", "score_state", "strain", "avg_heart_rate", "max_heart_rate", "kilojoules", "percent_recorded", "distance_m", "altitude_gain_m", "altitude_change_m", "zone_ms", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."workouts" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.workouts: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "sport_name", "sport_id", "start_at", "end_at", "zone_offset", "score_state", "strain", "avg_heart_rate", "max_heart_rate", "kilojoules", "percent_recorded", "distance_m", "altitude_gain_m", "altitude_change_m", "zone_ms", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."workouts" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.workouts: restore
INSERT INTO "health"."workouts" (user_id, "sport_name", "sport_id", "start_at", "end_at", "zone_offset", "score_state", "strain", "avg_heart_rate", "max_heart_rate", "kilojoules", "percent_recorded", "distance_m", "altitude_gain_m", "altitude_change_m", "zone_ms")
SELECT $1, told."sport_name", told."sport_id", told."start_at", told."end_at", told."zone_offset", told."score_state", told."strain", told."avg_heart_rate", told."max_heart_rate", told."kilojoules", told."percent_recorded", told."distance_m", told."altitude_gain_m", told."altitude_change_m", told."zone_ms" FROM jsonb_to_recordset($2::text::jsonb) AS told("sport_name" text, "sport_id" integer, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "score_state" text, "strain" double precision, "avg_heart_rate" double precision, "max_heart_rate" double precision, "kilojoules" double precision, "percent_recorded" double precision, "distance_m" double precision, "altitude_gain_m" double precision, "altitude_change_m" double precision, "zone_ms" integer[]);

-- health.recoveries: upsert, absent clears
INSERT INTO "health"."recoveries" AS stored (id, user_id, connection_id, source_id, "cycle_source_id", "sleep_source_id", "score_state", "recovery_score", "resting_heart_rate", "hrv_rmssd_ms", "spo2_percent", "skin_temp_celsius", "is_calibrating", "measured_at", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."cycle_source_id", pushed."sleep_source_id", pushed."score_state", pushed."recovery_score", pushed."resting_heart_rate", pushed."hrv_rmssd_ms", pushed."spo2_percent", pushed."skin_temp_celsius", pushed."is_calibrating", pushed."measured_at", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "cycle_source_id" text, "sleep_source_id" uuid, "score_state" text, "recovery_score" double precision, "resting_heart_rate" double precision, "hrv_rmssd_ms" double precision, "spo2_percent" double precision, "skin_temp_celsius" double precision, "is_calibrating" boolean, "measured_at" timestamptz, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "cycle_source_id" = excluded."cycle_source_id", "sleep_source_id" = excluded."sleep_source_id", "score_state" = excluded."score_state", "recovery_score" = excluded."recovery_score", "resting_heart_rate" = excluded."resting_heart_rate", "hrv_rmssd_ms" = excluded."hrv_rmssd_ms", "spo2_percent" = excluded."spo2_percent", "skin_temp_celsius" = excluded."skin_temp_celsius", "is_calibrating" = excluded."is_calibrating", "measured_at" = excluded."measured_at", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."cycle_source_id", stored."sleep_source_id", stored."score_state", stored."recovery_score", stored."resting_heart_rate", stored."hrv_rmssd_ms", stored."spo2_percent", stored."skin_temp_celsius", stored."is_calibrating", stored."measured_at", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."cycle_source_id", excluded."sleep_source_id", excluded."score_state", excluded."recovery_score", excluded."resting_heart_rate", excluded."hrv_rmssd_ms", excluded."spo2_percent", excluded."skin_temp_celsius", excluded."is_calibrating", excluded."measured_at", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- health.recoveries: upsert, absent stays
INSERT INTO "health"."recoveries" AS stored (id, user_id, connection_id, source_id, "cycle_source_id", "sleep_source_id", "score_state", "recovery_score", "resting_heart_rate", "hrv_rmssd_ms", "spo2_percent", "skin_temp_celsius", "is_calibrating", "measured_at", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."cycle_source_id", pushed."sleep_source_id", pushed."score_state", pushed."recovery_score", pushed."resting_heart_rate", pushed."hrv_rmssd_ms", pushed."spo2_percent", pushed."skin_temp_celsius", pushed."is_calibrating", pushed."measured_at", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "cycle_source_id" text, "sleep_source_id" uuid, "score_state" text, "recovery_score" double precision, "resting_heart_rate" double precision, "hrv_rmssd_ms" double precision, "spo2_percent" double precision, "skin_temp_celsius" double precision, "is_calibrating" boolean, "measured_at" timestamptz, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "cycle_source_id" = coalesce(excluded."cycle_source_id", stored."cycle_source_id"), "sleep_source_id" = coalesce(excluded."sleep_source_id", stored."sleep_source_id"), "score_state" = coalesce(excluded."score_state", stored."score_state"), "recovery_score" = coalesce(excluded."recovery_score", stored."recovery_score"), "resting_heart_rate" = coalesce(excluded."resting_heart_rate", stored."resting_heart_rate"), "hrv_rmssd_ms" = coalesce(excluded."hrv_rmssd_ms", stored."hrv_rmssd_ms"), "spo2_percent" = coalesce(excluded."spo2_percent", stored."spo2_percent"), "skin_temp_celsius" = coalesce(excluded."skin_temp_celsius", stored."skin_temp_celsius"), "is_calibrating" = coalesce(excluded."is_calibrating", stored."is_calibrating"), "measured_at" = coalesce(excluded."measured_at", stored."measured_at"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."cycle_source_id", stored."sleep_source_id", stored."score_state", stored."recovery_score", stored."resting_heart_rate", stored."hrv_rmssd_ms", stored."spo2_percent", stored."skin_temp_celsius", stored."is_calibrating", stored."measured_at", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."cycle_source_id", stored."cycle_source_id"), coalesce(excluded."sleep_source_id", stored."sleep_source_id"), coalesce(excluded."score_state", stored."score_state"), coalesce(excluded."recovery_score", stored."recovery_score"), coalesce(excluded."resting_heart_rate", stored."resting_heart_rate"), coalesce(excluded."hrv_rmssd_ms", stored."hrv_rmssd_ms"), coalesce(excluded."spo2_percent", stored."spo2_percent"), coalesce(excluded."skin_temp_celsius", stored."skin_temp_celsius"), coalesce(excluded."is_calibrating", stored."is_calibrating"), coalesce(excluded."measured_at", stored."measured_at"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- health.recoveries: tombstone
UPDATE "health"."recoveries" AS stored
SET "cycle_source_id" = NULL, "sleep_source_id" = NULL, "score_state" = NULL, "recovery_score" = NULL, "resting_heart_rate" = NULL, "hrv_rmssd_ms" = NULL, "spo2_percent" = NULL, "skin_temp_celsius" = NULL, "is_calibrating" = NULL, "measured_at" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- health.recoveries: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "health"."recoveries" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- health.recoveries: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "cycle_source_id", "sleep_source_id", "score_state", "recovery_score", "resting_heart_rate", "hrv_rmssd_ms", "spo2_percent", "skin_temp_celsius", "is_calibrating", "measured_at", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."recoveries" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.recoveries: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "cycle_source_id", "sleep_source_id", "score_state", "recovery_score", "resting_heart_rate", "hrv_rmssd_ms", "spo2_percent", "skin_temp_celsius", "is_calibrating", "measured_at", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."recoveries" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.recoveries: restore
INSERT INTO "health"."recoveries" (user_id, "cycle_source_id", "sleep_source_id", "score_state", "recovery_score", "resting_heart_rate", "hrv_rmssd_ms", "spo2_percent", "skin_temp_celsius", "is_calibrating", "measured_at")
SELECT $1, told."cycle_source_id", told."sleep_source_id", told."score_state", told."recovery_score", told."resting_heart_rate", told."hrv_rmssd_ms", told."spo2_percent", told."skin_temp_celsius", told."is_calibrating", told."measured_at" FROM jsonb_to_recordset($2::text::jsonb) AS told("cycle_source_id" text, "sleep_source_id" uuid, "score_state" text, "recovery_score" double precision, "resting_heart_rate" double precision, "hrv_rmssd_ms" double precision, "spo2_percent" double precision, "skin_temp_celsius" double precision, "is_calibrating" boolean, "measured_at" timestamptz);

-- health.recoveries: tombstone by sleep_source_id
UPDATE "health"."recoveries" AS stored
SET "cycle_source_id" = NULL, "sleep_source_id" = NULL, "score_state" = NULL, "recovery_score" = NULL, "resting_heart_rate" = NULL, "hrv_rmssd_ms" = NULL, "spo2_percent" = NULL, "skin_temp_celsius" = NULL, "is_calibrating" = NULL, "measured_at" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."sleep_source_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- health.recoveries: resolve sleep_source_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "health"."sleeps" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'health.sleeps'
        AND pending.child_target = 'health.recoveries' AND pending.field = 'sleep_source_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "health"."recoveries" AS child
SET "sleep_source_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- health.cycles: upsert, absent clears
INSERT INTO "health"."cycles" AS stored (id, user_id, connection_id, source_id, "start_at", "end_at", "zone_offset", "score_state", "strain", "kilojoules", "avg_heart_rate", "max_heart_rate", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."start_at", pushed."end_at", pushed."zone_offset", pushed."score_state", pushed."strain", pushed."kilojoules", pushed."avg_heart_rate", pushed."max_heart_rate", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "score_state" text, "strain" double precision, "kilojoules" double precision, "avg_heart_rate" double precision, "max_heart_rate" double precision, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "start_at" = excluded."start_at", "end_at" = excluded."end_at", "zone_offset" = excluded."zone_offset", "score_state" = excluded."score_state", "strain" = excluded."strain", "kilojoules" = excluded."kilojoules", "avg_heart_rate" = excluded."avg_heart_rate", "max_heart_rate" = excluded."max_heart_rate", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."start_at", stored."end_at", stored."zone_offset", stored."score_state", stored."strain", stored."kilojoules", stored."avg_heart_rate", stored."max_heart_rate", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."start_at", excluded."end_at", excluded."zone_offset", excluded."score_state", excluded."strain", excluded."kilojoules", excluded."avg_heart_rate", excluded."max_heart_rate", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- health.cycles: upsert, absent stays
INSERT INTO "health"."cycles" AS stored (id, user_id, connection_id, source_id, "start_at", "end_at", "zone_offset", "score_state", "strain", "kilojoules", "avg_heart_rate", "max_heart_rate", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."start_at", pushed."end_at", pushed."zone_offset", pushed."score_state", pushed."strain", pushed."kilojoules", pushed."avg_heart_rate", pushed."max_heart_rate", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "score_state" text, "strain" double precision, "kilojoules" double precision, "avg_heart_rate" double precision, "max_heart_rate" double precision, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "start_at" = coalesce(excluded."start_at", stored."start_at"), "end_at" = coalesce(excluded."end_at", stored."end_at"), "zone_offset" = coalesce(excluded."zone_offset", stored."zone_offset"), "score_state" = coalesce(excluded."score_state", stored."score_state"), "strain" = coalesce(excluded."strain", stored."strain"), "kilojoules" = coalesce(excluded."kilojoules", stored."kilojoules"), "avg_heart_rate" = coalesce(excluded."avg_heart_rate", stored."avg_heart_rate"), "max_heart_rate" = coalesce(excluded."max_heart_rate", stored."max_heart_rate"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."start_at", stored."end_at", stored."zone_offset", stored."score_state", stored."strain", stored."kilojoules", stored."avg_heart_rate", stored."max_heart_rate", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."start_at", stored."start_at"), coalesce(excluded."end_at", stored."end_at"), coalesce(excluded."zone_offset", stored."zone_offset"), coalesce(excluded."score_state", stored."score_state"), coalesce(excluded."strain", stored."strain"), coalesce(excluded."kilojoules", stored."kilojoules"), coalesce(excluded."avg_heart_rate", stored."avg_heart_rate"), coalesce(excluded."max_heart_rate", stored."max_heart_rate"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- health.cycles: tombstone
UPDATE "health"."cycles" AS stored
SET "start_at" = NULL, "end_at" = NULL, "zone_offset" = NULL, "score_state" = NULL, "strain" = NULL, "kilojoules" = NULL, "avg_heart_rate" = NULL, "max_heart_rate" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- health.cycles: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "health"."cycles" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- health.cycles: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "start_at", "end_at", "zone_offset", "score_state", "strain", "kilojoules", "avg_heart_rate", "max_heart_rate", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."cycles" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.cycles: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "start_at", "end_at", "zone_offset", "score_state", "strain", "kilojoules", "avg_heart_rate", "max_heart_rate", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."cycles" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.cycles: restore
INSERT INTO "health"."cycles" (user_id, "start_at", "end_at", "zone_offset", "score_state", "strain", "kilojoules", "avg_heart_rate", "max_heart_rate")
SELECT $1, told."start_at", told."end_at", told."zone_offset", told."score_state", told."strain", told."kilojoules", told."avg_heart_rate", told."max_heart_rate" FROM jsonb_to_recordset($2::text::jsonb) AS told("start_at" timestamptz, "end_at" timestamptz, "zone_offset" text, "score_state" text, "strain" double precision, "kilojoules" double precision, "avg_heart_rate" double precision, "max_heart_rate" double precision);

-- health.devices: upsert, absent clears
INSERT INTO "health"."devices" AS stored (id, user_id, connection_id, source_id, "provider", "device_model", "app_bundle", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."provider", pushed."device_model", pushed."app_bundle", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "provider" text, "device_model" text, "app_bundle" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "provider" = excluded."provider", "device_model" = excluded."device_model", "app_bundle" = excluded."app_bundle", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."provider", stored."device_model", stored."app_bundle", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."provider", excluded."device_model", excluded."app_bundle", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- health.devices: upsert, absent stays
INSERT INTO "health"."devices" AS stored (id, user_id, connection_id, source_id, "provider", "device_model", "app_bundle", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."provider", pushed."device_model", pushed."app_bundle", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "provider" text, "device_model" text, "app_bundle" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "provider" = coalesce(excluded."provider", stored."provider"), "device_model" = coalesce(excluded."device_model", stored."device_model"), "app_bundle" = coalesce(excluded."app_bundle", stored."app_bundle"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."provider", stored."device_model", stored."app_bundle", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."provider", stored."provider"), coalesce(excluded."device_model", stored."device_model"), coalesce(excluded."app_bundle", stored."app_bundle"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- health.devices: tombstone
UPDATE "health"."devices" AS stored
SET "provider" = NULL, "device_model" = NULL, "app_bundle" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- health.devices: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "health"."devices" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- health.devices: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "provider", "device_model", "app_bundle", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."devices" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.devices: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "provider", "device_model", "app_bundle", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "health"."devices" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- health.devices: restore
INSERT INTO "health"."devices" (user_id, "provider", "device_model", "app_bundle")
SELECT $1, told."provider", told."device_model", told."app_bundle" FROM jsonb_to_recordset($2::text::jsonb) AS told("provider" text, "device_model" text, "app_bundle" text);

-- erase of connections: health.samples
DELETE FROM "health"."samples" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: evidence.days
DELETE FROM "evidence"."days" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: health.days
DELETE FROM "health"."days" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: health.workouts
DELETE FROM "health"."workouts" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: health.recoveries
DELETE FROM "health"."recoveries" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: health.sleeps
DELETE FROM "health"."sleeps" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: health.cycles
DELETE FROM "health"."cycles" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: health.devices
DELETE FROM "health"."devices" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count before an erase
SELECT 'health.samples' AS place, count(*) AS n FROM "health"."samples" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'evidence.days' AS place, count(*) AS n FROM "evidence"."days" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'health.days' AS place, count(*) AS n FROM "health"."days" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'health.workouts' AS place, count(*) AS n FROM "health"."workouts" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'health.recoveries' AS place, count(*) AS n FROM "health"."recoveries" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'health.sleeps' AS place, count(*) AS n FROM "health"."sleeps" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'health.cycles' AS place, count(*) AS n FROM "health"."cycles" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'health.devices' AS place, count(*) AS n FROM "health"."devices" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count of a connection
SELECT sum(n)::bigint AS n FROM (
SELECT count(*) AS n FROM "health"."samples" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "health"."days" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "health"."sleeps" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "health"."workouts" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "health"."recoveries" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "health"."cycles" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "health"."devices" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
) AS counted;

