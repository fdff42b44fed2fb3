-- Makes tombstones of the days $2 (ids), of which nothing is known any more.
UPDATE health.days
SET "day" = NULL, steps = NULL, distance_m = NULL, energy_kcal = NULL, flights_climbed = NULL, exercise_minutes = NULL,
    resting_heart_rate = NULL, hrv_rmssd_ms = NULL, recovery_score = NULL, strain = NULL, sleep_minutes = NULL,
    weight_kg = NULL, extra = NULL, deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE user_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL
