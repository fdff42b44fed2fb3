-- How a connection fares after a round. A health that is not given stays, and so does the last success; a credential that was
-- revoked meanwhile, or entered anew, is not spoken of.
UPDATE connections
SET health = coalesce($3, health), problem = $4, retry_at = $5, last_success_at = coalesce($6, last_success_at)
WHERE user_id = $1 AND id = $2 AND removed_at IS NULL
