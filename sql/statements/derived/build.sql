-- Takes the row for a rebuild in the zone $3; answers it unless the rows were made in that zone already.
INSERT INTO evidence.built AS stored (user_id, sector, zone)
VALUES ($1, $2, $3)
ON CONFLICT (user_id, sector) DO UPDATE SET zone = excluded.zone WHERE stored.zone <> excluded.zone
RETURNING zone
