SELECT nextval('audit_log_id_seq') AS id
FROM generate_series(1, $1::bigint)
