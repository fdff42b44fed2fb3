-- mail.messages: upsert, absent clears
INSERT INTO "mail"."messages" AS stored (id, user_id, connection_id, source_id, "mailbox_id", "message_id", "in_reply_to", "thread_id", "subject", "from_name", "from_email", "sender", "to", "cc", "bcc", "reply_to", "sent_at", "received_at", "is_read", "is_flagged", "is_answered", "is_draft", "importance", "categories", "size", "has_attachment", "preview", "body_text", "body_html", "body_truncated", "list_id", "headers", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."mailbox_id", pushed."message_id", pushed."in_reply_to", pushed."thread_id", pushed."subject", pushed."from_name", pushed."from_email", pushed."sender", pushed."to", pushed."cc", pushed."bcc", pushed."reply_to", pushed."sent_at", pushed."received_at", pushed."is_read", pushed."is_flagged", pushed."is_answered", pushed."is_draft", pushed."importance", pushed."categories", pushed."size", pushed."has_attachment", pushed."preview", pushed."body_text", pushed."body_html", pushed."body_truncated", pushed."list_id", pushed."headers", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "mailbox_id" uuid, "message_id" text, "in_reply_to" text[], "thread_id" text, "subject" text, "from_name" text, "from_email" text, "sender" jsonb, "to" jsonb, "cc" jsonb, "bcc" jsonb, "reply_to" jsonb, "sent_at" timestamptz, "received_at" timestamptz, "is_read" boolean, "is_flagged" boolean, "is_answered" boolean, "is_draft" boolean, "importance" text, "categories" text[], "size" bigint, "has_attachment" boolean, "preview" text, "body_text" text, "body_html" text, "body_truncated" boolean, "list_id" text, "headers" jsonb, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "mailbox_id" = excluded."mailbox_id", "message_id" = excluded."message_id", "in_reply_to" = excluded."in_reply_to", "thread_id" = excluded."thread_id", "subject" = excluded."subject", "from_name" = excluded."from_name", "from_email" = excluded."from_email", "sender" = excluded."sender", "to" = excluded."to", "cc" = excluded."cc", "bcc" = excluded."bcc", "reply_to" = excluded."reply_to", "sent_at" = excluded."sent_at", "received_at" = excluded."received_at", "is_read" = excluded."is_read", "is_flagged" = excluded."is_flagged", "is_answered" = excluded."is_answered", "is_draft" = excluded."is_draft", "importance" = excluded."importance", "categories" = excluded."categories", "size" = excluded."size", "has_attachment" = excluded."has_attachment", "preview" = excluded."preview", "body_text" = excluded."body_text", "body_html" = excluded."body_html", "body_truncated" = excluded."body_truncated", "list_id" = excluded."list_id", "headers" = excluded."headers", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."mailbox_id", stored."message_id", stored."in_reply_to", stored."thread_id", stored."subject", stored."from_name", stored."from_email", stored."sender", stored."to", stored."cc", stored."bcc", stored."reply_to", stored."sent_at", stored."received_at", stored."is_read", stored."is_flagged", stored."is_answered", stored."is_draft", stored."importance", stored."categories", stored."size", stored."has_attachment", stored."preview", stored."body_text", stored."body_html", stored."body_truncated", stored."list_id", stored."headers", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."mailbox_id", excluded."message_id", excluded."in_reply_to", excluded."thread_id", excluded."subject", excluded."from_name", excluded."from_email", excluded."sender", excluded."to", excluded."cc", excluded."bcc", excluded."reply_to", excluded."sent_at", excluded."received_at", excluded."is_read", excluded."is_flagged", excluded."is_answered", excluded."is_draft", excluded."importance", excluded."categories", excluded."size", excluded."has_attachment", excluded."preview", excluded."body_text", excluded."body_html", excluded."body_truncated", excluded."list_id", excluded."headers", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- mail.messages: upsert, absent stays
INSERT INTO "mail"."messages" AS stored (id, user_id, connection_id, source_id, "mailbox_id", "message_id", "in_reply_to", "thread_id", "subject", "from_name", "from_email", "sender", "to", "cc", "bcc", "reply_to", "sent_at", "received_at", "is_read", "is_flagged", "is_answered", "is_draft", "importance", "categories", "size", "has_attachment", "preview", "body_text", "body_html", "body_truncated", "list_id", "headers", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."mailbox_id", pushed."message_id", pushed."in_reply_to", pushed."thread_id", pushed."subject", pushed."from_name", pushed."from_email", pushed."sender", pushed."to", pushed."cc", pushed."bcc", pushed."reply_to", pushed."sent_at", pushed."received_at", pushed."is_read", pushed."is_flagged", pushed."is_answered", pushed."is_draft", pushed."importance", pushed."categories", pushed."size", pushed."has_attachment", pushed."preview", pushed."body_text", pushed."body_html", pushed."body_truncated", pushed."list_id", pushed."headers", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "mailbox_id" uuid, "message_id" text, "in_reply_to" text[], "thread_id" text, "subject" text, "from_name" text, "from_email" text, "sender" jsonb, "to" jsonb, "cc" jsonb, "bcc" jsonb, "reply_to" jsonb, "sent_at" timestamptz, "received_at" timestamptz, "is_read" boolean, "is_flagged" boolean, "is_answered" boolean, "is_draft" boolean, "importance" text, "categories" text[], "size" bigint, "has_attachment" boolean, "preview" text, "body_text" text, "body_html" text, "body_truncated" boolean, "list_id" text, "headers" jsonb, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "mailbox_id" = coalesce(excluded."mailbox_id", stored."mailbox_id"), "message_id" = coalesce(excluded."message_id", stored."message_id"), "in_reply_to" = coalesce(excluded."in_reply_to", stored."in_reply_to"), "thread_id" = coalesce(excluded."thread_id", stored."thread_id"), "subject" = coalesce(excluded."subject", stored."subject"), "from_name" = coalesce(excluded."from_name", stored."from_name"), "from_email" = coalesce(excluded."from_email", stored."from_email"), "sender" = coalesce(excluded."sender", stored."sender"), "to" = coalesce(excluded."to", stored."to"), "cc" = coalesce(excluded."cc", stored."cc"), "bcc" = coalesce(excluded."bcc", stored."bcc"), "reply_to" = coalesce(excluded."reply_to", stored."reply_to"), "sent_at" = coalesce(excluded."sent_at", stored."sent_at"), "received_at" = coalesce(excluded."received_at", stored."received_at"), "is_read" = coalesce(excluded."is_read", stored."is_read"), "is_flagged" = coalesce(excluded."is_flagged", stored."is_flagged"), "is_answered" = coalesce(excluded."is_answered", stored."is_answered"), "is_draft" = coalesce(excluded."is_draft", stored."is_draft"), "importance" = coalesce(excluded."importance", stored."importance"), "categories" = coalesce(excluded."categories", stored."categories"), "size" = coalesce(excluded."size", stored."size"), "has_attachment" = coalesce(excluded."has_attachment", stored."has_attachment"), "preview" = coalesce(excluded."preview", stored."preview"), "body_text" = coalesce(excluded."body_text", stored."body_text"), "body_html" = coalesce(excluded."body_html", stored."body_html"), "body_truncated" = coalesce(excluded."body_truncated", stored."body_truncated"), "list_id" = coalesce(excluded."list_id", stored."list_id"), "headers" = coalesce(excluded."headers", stored."headers"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."mailbox_id", stored."message_id", stored."in_reply_to", stored."thread_id", stored."subject", stored."from_name", stored."from_email", stored."sender", stored."to", stored."cc", stored."bcc", stored."reply_to", stored."sent_at", stored."received_at", stored."is_read", stored."is_flagged", stored."is_answered", stored."is_draft", stored."importance", stored."categories", stored."size", stored."has_attachment", stored."preview", stored."body_text", stored."body_html", stored."body_truncated", stored."list_id", stored."headers", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."mailbox_id", stored."mailbox_id"), coalesce(excluded."message_id", stored."message_id"), coalesce(excluded."in_reply_to", stored."in_reply_to"), coalesce(excluded."thread_id", stored."thread_id"), coalesce(excluded."subject", stored."subject"), coalesce(excluded."from_name", stored."from_name"), coalesce(excluded."from_email", stored."from_email"), coalesce(excluded."sender", stored."sender"), coalesce(excluded."to", stored."to"), coalesce(excluded."cc", stored."cc"), coalesce(excluded."bcc", stored."bcc"), coalesce(excluded."reply_to", stored."reply_to"), coalesce(excluded."sent_at", stored."sent_at"), coalesce(excluded."received_at", stored."received_at"), coalesce(excluded."is_read", stored."is_read"), coalesce(excluded."is_flagged", stored."is_flagged"), coalesce(excluded."is_answered", stored."is_answered"), coalesce(excluded."is_draft", stored."is_draft"), coalesce(excluded."importance", stored."importance"), coalesce(excluded."categories", stored."categories"), coalesce(excluded."size", stored."size"), coalesce(excluded."has_attachment", stored."has_attachment"), coalesce(excluded."preview", stored."preview"), coalesce(excluded."body_text", stored."body_text"), coalesce(excluded."body_html", stored."body_html"), coalesce(excluded."body_truncated", stored."body_truncated"), coalesce(excluded."list_id", stored."list_id"), coalesce(excluded."headers", stored."headers"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- mail.messages: tombstone
UPDATE "mail"."messages" AS stored
SET "mailbox_id" = NULL, "message_id" = NULL, "in_reply_to" = NULL, "thread_id" = NULL, "subject" = NULL, "from_name" = NULL, "from_email" = NULL, "sender" = NULL, "to" = NULL, "cc" = NULL, "bcc" = NULL, "reply_to" = NULL, "sent_at" = NULL, "received_at" = NULL, "is_read" = NULL, "is_flagged" = NULL, "is_answered" = NULL, "is_draft" = NULL, "importance" = NULL, "categories" = NULL, "size" = NULL, "has_attachment" = NULL, "preview" = NULL, "body_text" = NULL, "body_html" = NULL, "body_truncated" = NULL, "list_id" = NULL, "headers" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- mail.messages: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "mail"."messages" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- mail.messages: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "mailbox_id", "message_id", "in_reply_to", "thread_id", "subject", "from_name", "from_email", "sender", "to", "cc", "bcc", "reply_to", "sent_at", "received_at", "is_read", "is_flagged", "is_answered", "is_draft", "importance", "categories", "size", "has_attachment", "preview", "body_text", "body_html", "body_truncated", "list_id", "headers", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "mail"."messages" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- mail.messages: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "mailbox_id", "message_id", "in_reply_to", "thread_id", "subject", "from_name", "from_email", "sender", "to", "cc", "bcc", "reply_to", "sent_at", "received_at", "is_read", "is_flagged", "is_answered", "is_draft", "importance", "categories", "size", "has_attachment", "preview", "body_text", "body_html", "body_truncated", "list_id", "headers", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "mail"."messages" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- mail.messages: restore
INSERT INTO "mail"."messages" (user_id, "mailbox_id", "message_id", "in_reply_to", "thread_id", "subject", "from_name", "from_email", "sender", "to", "cc", "bcc", "reply_to", "sent_at", "received_at", "is_read", "is_flagged", "is_answered", "is_draft", "importance", "categories", "size", "has_attachment", "preview", "body_text", "body_html", "body_truncated", "list_id", "headers")
SELECT $1, told."mailbox_id", told."message_id", told."in_reply_to", told."thread_id", told."subject", told."from_name", told."from_email", told."sender", told."to", told."cc", told."bcc", told."reply_to", told."sent_at", told."received_at", told."is_read", told."is_flagged", told."is_answered", told."is_draft", told."importance", told."categories", told."size", told."has_attachment", told."preview", told."body_text", told."body_html", told."body_truncated", told."list_id", told."headers" FROM jsonb_to_recordset($2::text::jsonb) AS told("mailbox_id" uuid, "message_id" text, "in_reply_to" text[], "thread_id" text, "subject" text, "from_name" text, "from_email" text, "sender" jsonb, "to" jsonb, "cc" jsonb, "bcc" jsonb, "reply_to" jsonb, "sent_at" timestamptz, "received_at" timestamptz, "is_read" boolean, "is_flagged" boolean, "is_answered" boolean, "is_draft" boolean, "importance" text, "categories" text[], "size" bigint, "has_attachment" boolean, "preview" text, "body_text" text, "body_html" text, "body_truncated" boolean, "list_id" text, "headers" jsonb);

-- mail.messages: namesakes
SELECT asked.place, stored.source_id, stored.deleted_at IS NOT NULL AS is_gone,
    stored."message_id" IS NOT DISTINCT FROM asked.own AND stored."is_draft" IS NOT TRUE AS is_apart,
    (stored."subject", stored."from_name", stored."from_email", stored."sender", stored."to", stored."cc", stored."bcc", stored."sent_at") IS NOT DISTINCT FROM (asked."subject", asked."from_name", asked."from_email", asked."sender", asked."to", asked."cc", asked."bcc", asked."sent_at") AS is_same
FROM jsonb_to_recordset($3) AS asked(place integer, own text, names text[], "subject" text, "from_name" text, "from_email" text, "sender" jsonb, "to" jsonb, "cc" jsonb, "bcc" jsonb, "sent_at" timestamptz)
CROSS JOIN LATERAL unnest(asked.names) AS name
JOIN "mail"."messages" AS stored ON stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = name;

-- mail.messages: tombstone by mailbox_id
UPDATE "mail"."messages" AS stored
SET "mailbox_id" = NULL, "message_id" = NULL, "in_reply_to" = NULL, "thread_id" = NULL, "subject" = NULL, "from_name" = NULL, "from_email" = NULL, "sender" = NULL, "to" = NULL, "cc" = NULL, "bcc" = NULL, "reply_to" = NULL, "sent_at" = NULL, "received_at" = NULL, "is_read" = NULL, "is_flagged" = NULL, "is_answered" = NULL, "is_draft" = NULL, "importance" = NULL, "categories" = NULL, "size" = NULL, "has_attachment" = NULL, "preview" = NULL, "body_text" = NULL, "body_html" = NULL, "body_truncated" = NULL, "list_id" = NULL, "headers" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."mailbox_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- mail.messages: resolve mailbox_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "mail"."mailboxes" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'mail.mailboxes'
        AND pending.child_target = 'mail.messages' AND pending.field = 'mailbox_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "mail"."messages" AS child
SET "mailbox_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- mail.mailboxes: upsert, absent clears
INSERT INTO "mail"."mailboxes" AS stored (id, user_id, connection_id, source_id, "name", "path", "role", "parent_id", "total", "unread", "uid_validity", "uid_next", "highest_modseq", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."path", pushed."role", pushed."parent_id", pushed."total", pushed."unread", pushed."uid_validity", pushed."uid_next", pushed."highest_modseq", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "path" text, "role" text, "parent_id" uuid, "total" integer, "unread" integer, "uid_validity" bigint, "uid_next" bigint, "highest_modseq" bigint, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = excluded."name", "path" = excluded."path", "role" = excluded."role", "parent_id" = excluded."parent_id", "total" = excluded."total", "unread" = excluded."unread", "uid_validity" = excluded."uid_validity", "uid_next" = excluded."uid_next", "highest_modseq" = excluded."highest_modseq", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."path", stored."role", stored."parent_id", stored."total", stored."unread", stored."uid_validity", stored."uid_next", stored."highest_modseq", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."name", excluded."path", excluded."role", excluded."parent_id", excluded."total", excluded."unread", excluded."uid_validity", excluded."uid_next", excluded."highest_modseq", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- mail.mailboxes: upsert, absent stays
INSERT INTO "mail"."mailboxes" AS stored (id, user_id, connection_id, source_id, "name", "path", "role", "parent_id", "total", "unread", "uid_validity", "uid_next", "highest_modseq", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."path", pushed."role", pushed."parent_id", pushed."total", pushed."unread", pushed."uid_validity", pushed."uid_next", pushed."highest_modseq", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "path" text, "role" text, "parent_id" uuid, "total" integer, "unread" integer, "uid_validity" bigint, "uid_next" bigint, "highest_modseq" bigint, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = coalesce(excluded."name", stored."name"), "path" = coalesce(excluded."path", stored."path"), "role" = coalesce(excluded."role", stored."role"), "parent_id" = coalesce(excluded."parent_id", stored."parent_id"), "total" = coalesce(excluded."total", stored."total"), "unread" = coalesce(excluded."unread", stored."unread"), "uid_validity" = coalesce(excluded."uid_validity", stored."uid_validity"), "uid_next" = coalesce(excluded."uid_next", stored."uid_next"), "highest_modseq" = coalesce(excluded."highest_modseq", stored."highest_modseq"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."path", stored."role", stored."parent_id", stored."total", stored."unread", stored."uid_validity", stored."uid_next", stored."highest_modseq", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."name", stored."name"), coalesce(excluded."path", stored."path"), coalesce(excluded."role", stored."role"), coalesce(excluded."parent_id", stored."parent_id"), coalesce(excluded."total", stored."total"), coalesce(excluded."unread", stored."unread"), coalesce(excluded."uid_validity", stored."uid_validity"), coalesce(excluded."uid_next", stored."uid_next"), coalesce(excluded."highest_modseq", stored."highest_modseq"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- mail.mailboxes: tombstone
UPDATE "mail"."mailboxes" AS stored
SET "name" = NULL, "path" = NULL, "role" = NULL, "parent_id" = NULL, "total" = NULL, "unread" = NULL, "uid_validity" = NULL, "uid_next" = NULL, "highest_modseq" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- mail.mailboxes: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "mail"."mailboxes" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- mail.mailboxes: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "path", "role", "parent_id", "total", "unread", "uid_validity", "uid_next", "highest_modseq", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "mail"."mailboxes" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- mail.mailboxes: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "path", "role", "parent_id", "total", "unread", "uid_validity", "uid_next", "highest_modseq", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "mail"."mailboxes" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- mail.mailboxes: restore
INSERT INTO "mail"."mailboxes" (user_id, "name", "path", "role", "parent_id", "total", "unread", "uid_validity", "uid_next", "highest_modseq")
SELECT $1, told."name", told."path", told."role", told."parent_id", told."total", told."unread", told."uid_validity", told."uid_next", told."highest_modseq" FROM jsonb_to_recordset($2::text::jsonb) AS told("name" text, "path" text, "role" text, "parent_id" uuid, "total" integer, "unread" integer, "uid_validity" bigint, "uid_next" bigint, "highest_modseq" bigint);

-- mail.mailboxes: tombstone by parent_id
UPDATE "mail"."mailboxes" AS stored
SET "name" = NULL, "path" = NULL, "role" = NULL, "parent_id" = NULL, "total" = NULL, "unread" = NULL, "uid_validity" = NULL, "uid_next" = NULL, "highest_modseq" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."parent_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- mail.mailboxes: resolve parent_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "mail"."mailboxes" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'mail.mailboxes'
        AND pending.child_target = 'mail.mailboxes' AND pending.field = 'parent_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "mail"."mailboxes" AS child
SET "parent_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- mail.attachments: upsert, absent clears
INSERT INTO "mail"."attachments" AS stored (id, user_id, connection_id, source_id, "message_id", "part_id", "filename", "content_type", "size", "content_id", "is_inline", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."message_id", pushed."part_id", pushed."filename", pushed."content_type", pushed."size", pushed."content_id", pushed."is_inline", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "message_id" uuid, "part_id" text, "filename" text, "content_type" text, "size" bigint, "content_id" text, "is_inline" boolean, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "message_id" = excluded."message_id", "part_id" = excluded."part_id", "filename" = excluded."filename", "content_type" = excluded."content_type", "size" = excluded."size", "content_id" = excluded."content_id", "is_inline" = excluded."is_inline", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."message_id", stored."part_id", stored."filename", stored."content_type", stored."size", stored."content_id", stored."is_inline", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."message_id", excluded."part_id", excluded."filename", excluded."content_type", excluded."size", excluded."content_id", excluded."is_inline", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- mail.attachments: upsert, absent stays
INSERT INTO "mail"."attachments" AS stored (id, user_id, connection_id, source_id, "message_id", "part_id", "filename", "content_type", "size", "content_id", "is_inline", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."message_id", pushed."part_id", pushed."filename", pushed."content_type", pushed."size", pushed."content_id", pushed."is_inline", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "message_id" uuid, "part_id" text, "filename" text, "content_type" text, "size" bigint, "content_id" text, "is_inline" boolean, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "message_id" = coalesce(excluded."message_id", stored."message_id"), "part_id" = coalesce(excluded."part_id", stored."part_id"), "filename" = coalesce(excluded."filename", stored."filename"), "content_type" = coalesce(excluded."content_type", stored."content_type"), "size" = coalesce(excluded."size", stored."size"), "content_id" = coalesce(excluded."content_id", stored."content_id"), "is_inline" = coalesce(excluded."is_inline", stored."is_inline"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."message_id", stored."part_id", stored."filename", stored."content_type", stored."size", stored."content_id", stored."is_inline", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."message_id", stored."message_id"), coalesce(excluded."part_id", stored."part_id"), coalesce(excluded."filename", stored."filename"), coalesce(excluded."content_type", stored."content_type"), coalesce(excluded."size", stored."size"), coalesce(excluded."content_id", stored."content_id"), coalesce(excluded."is_inline", stored."is_inline"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- mail.attachments: tombstone
UPDATE "mail"."attachments" AS stored
SET "message_id" = NULL, "part_id" = NULL, "filename" = NULL, "content_type" = NULL, "size" = NULL, "content_id" = NULL, "is_inline" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- mail.attachments: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "mail"."attachments" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- mail.attachments: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "message_id", "part_id", "filename", "content_type", "size", "content_id", "is_inline", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "mail"."attachments" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- mail.attachments: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "message_id", "part_id", "filename", "content_type", "size", "content_id", "is_inline", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "mail"."attachments" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- mail.attachments: restore
INSERT INTO "mail"."attachments" (user_id, "message_id", "part_id", "filename", "content_type", "size", "content_id", "is_inline")
SELECT $1, told."message_id", told."part_id", told."filename", told."content_type", told."size", told."content_id", told."is_inline" FROM jsonb_to_recordset($2::text::jsonb) AS told("message_id" uuid, "part_id" text, "filename" text, "content_type" text, "size" bigint, "content_id" text, "is_inline" boolean);

-- mail.attachments: tombstone by message_id
UPDATE "mail"."attachments" AS stored
SET "message_id" = NULL, "part_id" = NULL, "filename" = NULL, "content_type" = NULL, "size" = NULL, "content_id" = NULL, "is_inline" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."message_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- mail.attachments: resolve message_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "mail"."messages" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'mail.messages'
        AND pending.child_target = 'mail.attachments' AND pending.field = 'message_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "mail"."attachments" AS child
SET "message_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- erase of connections: mail.attachments
DELETE FROM "mail"."attachments" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: mail.messages
DELETE FROM "mail"."messages" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: mail.mailboxes
DELETE FROM "mail"."mailboxes" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count before an erase
SELECT 'mail.attachments' AS place, count(*) AS n FROM "mail"."attachments" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'mail.messages' AS place, count(*) AS n FROM "mail"."messages" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'mail.mailboxes' AS place, count(*) AS n FROM "mail"."mailboxes" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count of a connection
SELECT sum(n)::bigint AS n FROM (
SELECT count(*) AS n FROM "mail"."messages" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "mail"."mailboxes" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "mail"."attachments" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
) AS counted;

