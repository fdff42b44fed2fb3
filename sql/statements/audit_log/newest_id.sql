SELECT max(id) AS newest
FROM audit_log
