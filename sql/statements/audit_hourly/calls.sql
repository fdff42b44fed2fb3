-- Calls of each name in each step, the steps counted from the first hour on.
SELECT
    CASE $1::text WHEN 'agent' THEN agent_id WHEN 'sector' THEN sector ELSE tool END AS name,
    floor(date_part('epoch', hour - $2) / $4::float8)::bigint AS step,
    sum(n)::bigint AS calls
FROM audit_hourly
WHERE hour >= $2 AND hour < $3 AND ($5::text IS NULL OR agent_id = $5)
GROUP BY 1, 2
