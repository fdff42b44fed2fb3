SELECT seq FROM audit_position
WHERE journal_uuid = $1
