-- contacts.people: upsert, absent clears
INSERT INTO "contacts"."people" AS stored (id, user_id, connection_id, source_id, "full_name", "name_given", "name_surname", "name_middle", "name_prefix", "name_suffix", "nicknames", "kind", "organization", "department", "title", "emails", "phones", "addresses", "urls", "birthday_month", "birthday_day", "birthday_year", "anniversary", "notes", "photo_url", "categories", "uid", "etag", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."full_name", pushed."name_given", pushed."name_surname", pushed."name_middle", pushed."name_prefix", pushed."name_suffix", pushed."nicknames", pushed."kind", pushed."organization", pushed."department", pushed."title", pushed."emails", pushed."phones", pushed."addresses", pushed."urls", pushed."birthday_month", pushed."birthday_day", pushed."birthday_year", pushed."anniversary", pushed."notes", pushed."photo_url", pushed."categories", pushed."uid", pushed."etag", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "full_name" text, "name_given" text, "name_surname" text, "name_middle" text, "name_prefix" text, "name_suffix" text, "nicknames" text[], "kind" text, "organization" text, "department" text, "title" text, "emails" jsonb, "phones" jsonb, "addresses" jsonb, "urls" jsonb, "birthday_month" integer, "birthday_day" integer, "birthday_year" integer, "anniversary" date, "notes" text, "photo_url" text, "categories" text[], "uid" text, "etag" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "full_name" = excluded."full_name", "name_given" = excluded."name_given", "name_surname" = excluded."name_surname", "name_middle" = excluded."name_middle", "name_prefix" = excluded."name_prefix", "name_suffix" = excluded."name_suffix", "nicknames" = excluded."nicknames", "kind" = excluded."kind", "organization" = excluded."organization", "department" = excluded."department", "title" = excluded."title", "emails" = excluded."emails", "phones" = excluded."phones", "addresses" = excluded."addresses", "urls" = excluded."urls", "birthday_month" = excluded."birthday_month", "birthday_day" = excluded."birthday_day", "birthday_year" = excluded."birthday_year", "anniversary" = excluded."anniversary", "notes" = excluded."notes", "photo_url" = excluded."photo_url", "categories" = excluded."categories", "uid" = excluded."uid", "etag" = excluded."etag", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."full_name", stored."name_given", stored."name_surname", stored."name_middle", stored."name_prefix", stored."name_suffix", stored."nicknames", stored."kind", stored."organization", stored."department", stored."title", stored."emails", stored."phones", stored."addresses", stored."urls", stored."birthday_month", stored."birthday_day", stored."birthday_year", stored."anniversary", stored."notes", stored."photo_url", stored."categories", stored."uid", stored."etag", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."full_name", excluded."name_given", excluded."name_surname", excluded."name_middle", excluded."name_prefix", excluded."name_suffix", excluded."nicknames", excluded."kind", excluded."organization", excluded."department", excluded."title", excluded."emails", excluded."phones", excluded."addresses", excluded."urls", excluded."birthday_month", excluded."birthday_day", excluded."birthday_year", excluded."anniversary", excluded."notes", excluded."photo_url", excluded."categories", excluded."uid", excluded."etag", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- contacts.people: upsert, absent stays
INSERT INTO "contacts"."people" AS stored (id, user_id, connection_id, source_id, "full_name", "name_given", "name_surname", "name_middle", "name_prefix", "name_suffix", "nicknames", "kind", "organization", "department", "title", "emails", "phones", "addresses", "urls", "birthday_month", "birthday_day", "birthday_year", "anniversary", "notes", "photo_url", "categories", "uid", "etag", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."full_name", pushed."name_given", pushed."name_surname", pushed."name_middle", pushed."name_prefix", pushed."name_suffix", pushed."nicknames", pushed."kind", pushed."organization", pushed."department", pushed."title", pushed."emails", pushed."phones", pushed."addresses", pushed."urls", pushed."birthday_month", pushed."birthday_day", pushed."birthday_year", pushed."anniversary", pushed."notes", pushed."photo_url", pushed."categories", pushed."uid", pushed."etag", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "full_name" text, "name_given" text, "name_surname" text, "name_middle" text, "name_prefix" text, "name_suffix" text, "nicknames" text[], "kind" text, "organization" text, "department" text, "title" text, "emails" jsonb, "phones" jsonb, "addresses" jsonb, "urls" jsonb, "birthday_month" integer, "birthday_day" integer, "birthday_year" integer, "anniversary" date, "notes" text, "photo_url" text, "categories" text[], "uid" text, "etag" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "full_name" = coalesce(excluded."full_name", stored."full_name"), "name_given" = coalesce(excluded."name_given", stored."name_given"), "name_surname" = coalesce(excluded."name_surname", stored."name_surname"), "name_middle" = coalesce(excluded."name_middle", stored."name_middle"), "name_prefix" = coalesce(excluded."name_prefix", stored."name_prefix"), "name_suffix" = coalesce(excluded."name_suffix", stored."name_suffix"), "nicknames" = coalesce(excluded."nicknames", stored."nicknames"), "kind" = coalesce(excluded."kind", stored."kind"), "organization" = coalesce(excluded."organization", stored."organization"), "department" = coalesce(excluded."department", stored."department"), "title" = coalesce(excluded."title", stored."title"), "emails" = coalesce(excluded."emails", stored."emails"), "phones" = coalesce(excluded."phones", stored."phones"), "addresses" = coalesce(excluded."addresses", stored."addresses"), "urls" = coalesce(excluded."urls", stored."urls"), "birthday_month" = coalesce(excluded."birthday_month", stored."birthday_month"), "birthday_day" = coalesce(excluded."birthday_day", stored."birthday_day"), "birthday_year" = coalesce(excluded."birthday_year", stored."birthday_year"), "anniversary" = coalesce(excluded."anniversary", stored."anniversary"), "notes" = coalesce(excluded."notes", stored."notes"), "photo_url" = coalesce(excluded."photo_url", stored."photo_url"), "categories" = coalesce(excluded."categories", stored."categories"), "uid" = coalesce(excluded."uid", stored."uid"), "etag" = coalesce(excluded."etag", stored."etag"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."full_name", stored."name_given", stored."name_surname", stored."name_middle", stored."name_prefix", stored."name_suffix", stored."nicknames", stored."kind", stored."organization", stored."department", stored."title", stored."emails", stored."phones", stored."addresses", stored."urls", stored."birthday_month", stored."birthday_day", stored."birthday_year", stored."anniversary", stored."notes", stored."photo_url", stored."categories", stored."uid", stored."etag", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."full_name", stored."full_name"), coalesce(excluded."name_given", stored."name_given"), coalesce(excluded."name_surname", stored."name_surname"), coalesce(excluded."name_middle", stored."name_middle"), coalesce(excluded."name_prefix", stored."name_prefix"), coalesce(excluded."name_suffix", stored."name_suffix"), coalesce(excluded."nicknames", stored."nicknames"), coalesce(excluded."kind", stored."kind"), coalesce(excluded."organization", stored."organization"), coalesce(excluded."department", stored."department"), coalesce(excluded."title", stored."title"), coalesce(excluded."emails", stored."emails"), coalesce(excluded."phones", stored."phones"), coalesce(excluded."addresses", stored."addresses"), coalesce(excluded."urls", stored."urls"), coalesce(excluded."birthday_month", stored."birthday_month"), coalesce(excluded."birthday_day", stored."birthday_day"), coalesce(excluded."birthday_year", stored."birthday_year"), coalesce(excluded."anniversary", stored."anniversary"), coalesce(excluded."notes", stored."notes"), coalesce(excluded."photo_url", stored."photo_url"), coalesce(excluded."categories", stored."categories"), coalesce(excluded."uid", stored."uid"), coalesce(excluded."etag", stored."etag"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- contacts.people: tombstone
UPDATE "contacts"."people" AS stored
SET "full_name" = NULL, "name_given" = NULL, "name_surname" = NULL, "name_middle" = NULL, "name_prefix" = NULL, "name_suffix" = NULL, "nicknames" = NULL, "kind" = NULL, "organization" = NULL, "department" = NULL, "title" = NULL, "emails" = NULL, "phones" = NULL, "addresses" = NULL, "urls" = NULL, "birthday_month" = NULL, "birthday_day" = NULL, "birthday_year" = NULL, "anniversary" = NULL, "notes" = NULL, "photo_url" = NULL, "categories" = NULL, "uid" = NULL, "etag" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- contacts.people: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "contacts"."people" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- contacts.people: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "full_name", "name_given", "name_surname", "name_middle", "name_prefix", "name_suffix", "nicknames", "kind", "organization", "department", "title", "emails", "phones", "addresses", "urls", "birthday_month", "birthday_day", "birthday_year", "anniversary", "notes", "photo_url", "categories", "uid", "etag", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "contacts"."people" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- contacts.people: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "full_name", "name_given", "name_surname", "name_middle", "name_prefix", "name_suffix", "nicknames", "kind", "organization", "department", "title", "emails", "phones", "addresses", "urls", "birthday_month", "birthday_day", "birthday_year", "anniversary", "notes", "photo_url", "categories", "uid", "etag", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "contacts"."people" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- contacts.people: restore
INSERT INTO "contacts"."people" (user_id, "full_name", "name_given", "name_surname", "name_middle", "name_prefix", "name_suffix", "nicknames", "kind", "organization", "department", "title", "emails", "phones", "addresses", "urls", "birthday_month", "birthday_day", "birthday_year", "anniversary", "notes", "photo_url", "categories", "uid", "etag")
SELECT $1, told."full_name", told."name_given", told."name_surname", told."name_middle", told."name_prefix", told."name_suffix", told."nicknames", told."kind", told."organization", told."department", told."title", told."emails", told."phones", told."addresses", told."urls", told."birthday_month", told."birthday_day", told."birthday_year", told."anniversary", told."notes", told."photo_url", told."categories", told."uid", told."etag" FROM jsonb_to_recordset($2::text::jsonb) AS told("full_name" text, "name_given" text, "name_surname" text, "name_middle" text, "name_prefix" text, "name_suffix" text, "nicknames" text[], "kind" text, "organization" text, "department" text, "title" text, "emails" jsonb, "phones" jsonb, "addresses" jsonb, "urls" jsonb, "birthday_month" integer, "birthday_day" integer, "birthday_year" integer, "anniversary" date, "notes" text, "photo_url" text, "categories" text[], "uid" text, "etag" text);

-- contacts.groups: upsert, absent clears
INSERT INTO "contacts"."groups" AS stored (id, user_id, connection_id, source_id, "name", "uid", "member_uids", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."uid", pushed."member_uids", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "uid" text, "member_uids" text[], raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = excluded."name", "uid" = excluded."uid", "member_uids" = excluded."member_uids", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."uid", stored."member_uids", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."name", excluded."uid", excluded."member_uids", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- contacts.groups: upsert, absent stays
INSERT INTO "contacts"."groups" AS stored (id, user_id, connection_id, source_id, "name", "uid", "member_uids", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."uid", pushed."member_uids", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "uid" text, "member_uids" text[], raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = coalesce(excluded."name", stored."name"), "uid" = coalesce(excluded."uid", stored."uid"), "member_uids" = coalesce(excluded."member_uids", stored."member_uids"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."uid", stored."member_uids", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."name", stored."name"), coalesce(excluded."uid", stored."uid"), coalesce(excluded."member_uids", stored."member_uids"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- contacts.groups: tombstone
UPDATE "contacts"."groups" AS stored
SET "name" = NULL, "uid" = NULL, "member_uids" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- contacts.groups: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "contacts"."groups" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- contacts.groups: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "uid", "member_uids", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "contacts"."groups" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- contacts.groups: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "uid", "member_uids", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "contacts"."groups" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- contacts.groups: restore
INSERT INTO "contacts"."groups" (user_id, "name", "uid", "member_uids")
SELECT $1, told."name", told."uid", told."member_uids" FROM jsonb_to_recordset($2::text::jsonb) AS told("name" text, "uid" text, "member_uids" text[]);

-- erase of connections: contacts.people
DELETE FROM "contacts"."people" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: contacts.groups
DELETE FROM "contacts"."groups" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count before an erase
SELECT 'contacts.people' AS place, count(*) AS n FROM "contacts"."people" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'contacts.groups' AS place, count(*) AS n FROM "contacts"."groups" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count of a connection
SELECT sum(n)::bigint AS n FROM (
SELECT count(*) AS n FROM "contacts"."people" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "contacts"."groups" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
) AS counted;

