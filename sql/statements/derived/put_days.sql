-- Writes the days of the jsonb array $2; one that says the same already is left alone.
INSERT INTO health.days AS stored (
    id, user_id, connection_id, source_id, "day", steps, distance_m, energy_kcal, flights_climbed, exercise_minutes,
    resting_heart_rate, hrv_rmssd_ms, recovery_score, strain, sleep_minutes, weight_kg, extra
)
SELECT made.id, $1, made.connection_id, made."day"::text, made."day", made.steps, made.distance_m, made.energy_kcal,
    made.flights_climbed, made.exercise_minutes, made.resting_heart_rate, made.hrv_rmssd_ms, made.recovery_score,
    made.strain, made.sleep_minutes, made.weight_kg, made.extra
FROM jsonb_to_recordset($2) AS made(
    id uuid, connection_id uuid, "day" date, steps integer, distance_m double precision, energy_kcal double precision,
    flights_climbed integer, exercise_minutes double precision, resting_heart_rate double precision,
    hrv_rmssd_ms double precision, recovery_score double precision, strain double precision,
    sleep_minutes double precision, weight_kg double precision, extra jsonb
)
ON CONFLICT (id) DO UPDATE
SET connection_id = excluded.connection_id, "day" = excluded."day", steps = excluded.steps,
    distance_m = excluded.distance_m, energy_kcal = excluded.energy_kcal, flights_climbed = excluded.flights_climbed,
    exercise_minutes = excluded.exercise_minutes, resting_heart_rate = excluded.resting_heart_rate,
    hrv_rmssd_ms = excluded.hrv_rmssd_ms, recovery_score = excluded.recovery_score, strain = excluded.strain,
    sleep_minutes = excluded.sleep_minutes, weight_kg = excluded.weight_kg, extra = excluded.extra,
    synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE stored.deleted_at IS NOT NULL
    OR (stored.connection_id, stored.steps, stored.distance_m, stored.energy_kcal, stored.flights_climbed,
        stored.exercise_minutes, stored.resting_heart_rate, stored.hrv_rmssd_ms, stored.recovery_score, stored.strain,
        stored.sleep_minutes, stored.weight_kg, stored.extra)
    IS DISTINCT FROM (excluded.connection_id, excluded.steps, excluded.distance_m, excluded.energy_kcal,
        excluded.flights_climbed, excluded.exercise_minutes, excluded.resting_heart_rate, excluded.hrv_rmssd_ms,
        excluded.recovery_score, excluded.strain, excluded.sleep_minutes, excluded.weight_kg, excluded.extra)
