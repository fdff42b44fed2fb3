SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT id, name, uid, member_uids, source_id, updated_at
    FROM contacts.groups
    WHERE user_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR $2 = 'contacts')
    ORDER BY id
) AS kept
ORDER BY kept.id
