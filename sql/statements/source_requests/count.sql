INSERT INTO source_requests (sign_in_id, subject, at) VALUES ($1, $2, $3)
