-- Connections that were removed and of which nothing is left: they may come back under their old ids.
DELETE FROM connections WHERE user_id = $1 AND removed_at IS NOT NULL
