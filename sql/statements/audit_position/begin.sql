INSERT INTO audit_position (journal_uuid, seq) VALUES ($1, 0)
ON CONFLICT (journal_uuid) DO NOTHING
