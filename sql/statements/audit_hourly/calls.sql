-- Calls of each name in each step, the steps counted from the first hour on: the user's, and nobody's.
SELECT
    CASE $2::text WHEN 'agent' THEN agent_id WHEN 'sector' THEN sector ELSE tool END AS name,
    floor(date_part('epoch', hour - $3) / $5::float8)::bigint AS step,
    sum(n)::bigint AS calls
FROM audit_hourly
WHERE (user_id = $1 OR user_id IS NULL) AND hour >= $3 AND hour < $4 AND ($6::text IS NULL OR agent_id = $6)
GROUP BY 1, 2
