SELECT EXISTS (SELECT FROM audit_hourly_recount) AS is_to_recount
