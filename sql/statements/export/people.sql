SELECT to_jsonb(kept)::text AS line
FROM (
    SELECT id, full_name, name_given, name_surname, name_middle, name_prefix, name_suffix, nicknames, kind,
        organization, department, title, emails, phones, addresses, urls, birthday_month, birthday_day, birthday_year,
        anniversary, notes, photo_url, categories, uid, source_id, updated_at,
        extra -> 'properties' AS properties
    FROM contacts.people
    WHERE user_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR $2 = 'contacts')
    ORDER BY id
) AS kept
ORDER BY kept.id
