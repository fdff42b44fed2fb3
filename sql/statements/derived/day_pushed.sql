-- What devices say of the days $2, the newest last.
SELECT "day", connection_id, steps, distance_m, energy_kcal, flights_climbed, exercise_minutes, resting_heart_rate,
    hrv_rmssd_ms, recovery_score, strain, sleep_minutes, weight_kg, extra
FROM evidence.days
WHERE user_id = $1 AND "day" = ANY($2::date[]) AND deleted_at IS NULL
ORDER BY coalesce(updated_at, synced_at), synced_at, id
