-- calendar.events: upsert, absent clears
INSERT INTO "calendar"."events" AS stored (id, user_id, connection_id, source_id, "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "title", "description", "location", "status", "free_busy", "organizer", "attendees", "my_response", "conference_url", "categories", "uid", "original_start", "is_recurring", "series_id", "override_id", "calendar_id", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."start_at", pushed."end_at", pushed."start_date", pushed."end_date", pushed."is_all_day", pushed."time_zone", pushed."title", pushed."description", pushed."location", pushed."status", pushed."free_busy", pushed."organizer", pushed."attendees", pushed."my_response", pushed."conference_url", pushed."categories", pushed."uid", pushed."original_start", pushed."is_recurring", pushed."series_id", pushed."override_id", pushed."calendar_id", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "start_at" timestamptz, "end_at" timestamptz, "start_date" date, "end_date" date, "is_all_day" boolean, "time_zone" text, "title" text, "description" text, "location" text, "status" text, "free_busy" text, "organizer" jsonb, "attendees" jsonb, "my_response" text, "conference_url" text, "categories" text[], "uid" text, "original_start" text, "is_recurring" boolean, "series_id" uuid, "override_id" uuid, "calendar_id" uuid, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "start_at" = excluded."start_at", "end_at" = excluded."end_at", "start_date" = excluded."start_date", "end_date" = excluded."end_date", "is_all_day" = excluded."is_all_day", "time_zone" = excluded."time_zone", "title" = excluded."title", "description" = excluded."description", "location" = excluded."location", "status" = excluded."status", "free_busy" = excluded."free_busy", "organizer" = excluded."organizer", "attendees" = excluded."attendees", "my_response" = excluded."my_response", "conference_url" = excluded."conference_url", "categories" = excluded."categories", "uid" = excluded."uid", "original_start" = excluded."original_start", "is_recurring" = excluded."is_recurring", "series_id" = excluded."series_id", "override_id" = excluded."override_id", "calendar_id" = excluded."calendar_id", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE true
    AND (stored.deleted_at IS NOT NULL OR (stored."start_at", stored."end_at", stored."start_date", stored."end_date", stored."is_all_day", stored."time_zone", stored."title", stored."description", stored."location", stored."status", stored."free_busy", stored."organizer", stored."attendees", stored."my_response", stored."conference_url", stored."categories", stored."uid", stored."original_start", stored."is_recurring", stored."series_id", stored."override_id", stored."calendar_id", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."start_at", excluded."end_at", excluded."start_date", excluded."end_date", excluded."is_all_day", excluded."time_zone", excluded."title", excluded."description", excluded."location", excluded."status", excluded."free_busy", excluded."organizer", excluded."attendees", excluded."my_response", excluded."conference_url", excluded."categories", excluded."uid", excluded."original_start", excluded."is_recurring", excluded."series_id", excluded."override_id", excluded."calendar_id", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- calendar.events: upsert, absent stays
INSERT INTO "calendar"."events" AS stored (id, user_id, connection_id, source_id, "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "title", "description", "location", "status", "free_busy", "organizer", "attendees", "my_response", "conference_url", "categories", "uid", "original_start", "is_recurring", "series_id", "override_id", "calendar_id", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."start_at", pushed."end_at", pushed."start_date", pushed."end_date", pushed."is_all_day", pushed."time_zone", pushed."title", pushed."description", pushed."location", pushed."status", pushed."free_busy", pushed."organizer", pushed."attendees", pushed."my_response", pushed."conference_url", pushed."categories", pushed."uid", pushed."original_start", pushed."is_recurring", pushed."series_id", pushed."override_id", pushed."calendar_id", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "start_at" timestamptz, "end_at" timestamptz, "start_date" date, "end_date" date, "is_all_day" boolean, "time_zone" text, "title" text, "description" text, "location" text, "status" text, "free_busy" text, "organizer" jsonb, "attendees" jsonb, "my_response" text, "conference_url" text, "categories" text[], "uid" text, "original_start" text, "is_recurring" boolean, "series_id" uuid, "override_id" uuid, "calendar_id" uuid, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "start_at" = coalesce(excluded."start_at", stored."start_at"), "end_at" = coalesce(excluded."end_at", stored."end_at"), "start_date" = coalesce(excluded."start_date", stored."start_date"), "end_date" = coalesce(excluded."end_date", stored."end_date"), "is_all_day" = coalesce(excluded."is_all_day", stored."is_all_day"), "time_zone" = coalesce(excluded."time_zone", stored."time_zone"), "title" = coalesce(excluded."title", stored."title"), "description" = coalesce(excluded."description", stored."description"), "location" = coalesce(excluded."location", stored."location"), "status" = coalesce(excluded."status", stored."status"), "free_busy" = coalesce(excluded."free_busy", stored."free_busy"), "organizer" = coalesce(excluded."organizer", stored."organizer"), "attendees" = coalesce(excluded."attendees", stored."attendees"), "my_response" = coalesce(excluded."my_response", stored."my_response"), "conference_url" = coalesce(excluded."conference_url", stored."conference_url"), "categories" = coalesce(excluded."categories", stored."categories"), "uid" = coalesce(excluded."uid", stored."uid"), "original_start" = coalesce(excluded."original_start", stored."original_start"), "is_recurring" = coalesce(excluded."is_recurring", stored."is_recurring"), "series_id" = coalesce(excluded."series_id", stored."series_id"), "override_id" = coalesce(excluded."override_id", stored."override_id"), "calendar_id" = coalesce(excluded."calendar_id", stored."calendar_id"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE true
    AND (stored.deleted_at IS NOT NULL OR (stored."start_at", stored."end_at", stored."start_date", stored."end_date", stored."is_all_day", stored."time_zone", stored."title", stored."description", stored."location", stored."status", stored."free_busy", stored."organizer", stored."attendees", stored."my_response", stored."conference_url", stored."categories", stored."uid", stored."original_start", stored."is_recurring", stored."series_id", stored."override_id", stored."calendar_id", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."start_at", stored."start_at"), coalesce(excluded."end_at", stored."end_at"), coalesce(excluded."start_date", stored."start_date"), coalesce(excluded."end_date", stored."end_date"), coalesce(excluded."is_all_day", stored."is_all_day"), coalesce(excluded."time_zone", stored."time_zone"), coalesce(excluded."title", stored."title"), coalesce(excluded."description", stored."description"), coalesce(excluded."location", stored."location"), coalesce(excluded."status", stored."status"), coalesce(excluded."free_busy", stored."free_busy"), coalesce(excluded."organizer", stored."organizer"), coalesce(excluded."attendees", stored."attendees"), coalesce(excluded."my_response", stored."my_response"), coalesce(excluded."conference_url", stored."conference_url"), coalesce(excluded."categories", stored."categories"), coalesce(excluded."uid", stored."uid"), coalesce(excluded."original_start", stored."original_start"), coalesce(excluded."is_recurring", stored."is_recurring"), coalesce(excluded."series_id", stored."series_id"), coalesce(excluded."override_id", stored."override_id"), coalesce(excluded."calendar_id", stored."calendar_id"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- calendar.events: tombstone
UPDATE "calendar"."events" AS stored
SET "start_at" = NULL, "end_at" = NULL, "start_date" = NULL, "end_date" = NULL, "is_all_day" = NULL, "time_zone" = NULL, "title" = NULL, "description" = NULL, "location" = NULL, "status" = NULL, "free_busy" = NULL, "organizer" = NULL, "attendees" = NULL, "my_response" = NULL, "conference_url" = NULL, "categories" = NULL, "uid" = NULL, "original_start" = NULL, "is_recurring" = NULL, "series_id" = NULL, "override_id" = NULL, "calendar_id" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- calendar.events: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "calendar"."events" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- calendar.events: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "title", "description", "location", "status", "free_busy", "organizer", "attendees", "my_response", "conference_url", "categories", "uid", "original_start", "is_recurring", "series_id", "override_id", "calendar_id", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "calendar"."events" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- calendar.events: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "title", "description", "location", "status", "free_busy", "organizer", "attendees", "my_response", "conference_url", "categories", "uid", "original_start", "is_recurring", "series_id", "override_id", "calendar_id", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "calendar"."events" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- calendar.events: restore
INSERT INTO "calendar"."events" (user_id, "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "title", "description", "location", "status", "free_busy", "organizer", "attendees", "my_response", "conference_url", "categories", "uid", "original_start", "is_recurring", "series_id", "override_id", "calendar_id")
SELECT $1, told."start_at", told."end_at", told."start_date", told."end_date", told."is_all_day", told."time_zone", told."title", told."description", told."location", told."status", told."free_busy", told."organizer", told."attendees", told."my_response", told."conference_url", told."categories", told."uid", told."original_start", told."is_recurring", told."series_id", told."override_id", told."calendar_id" FROM jsonb_to_recordset($2::text::jsonb) AS told("start_at" timestamptz, "end_at" timestamptz, "start_date" date, "end_date" date, "is_all_day" boolean, "time_zone" text, "title" text, "description" text, "location" text, "status" text, "free_busy" text, "organizer" jsonb, "attendees" jsonb, "my_response" text, "conference_url" text, "categories" text[], "uid" text, "original_start" text, "is_recurring" boolean, "series_id" uuid, "override_id" uuid, "calendar_id" uuid);

-- calendar.events: tombstone by series_id
UPDATE "calendar"."events" AS stored
SET "start_at" = NULL, "end_at" = NULL, "start_date" = NULL, "end_date" = NULL, "is_all_day" = NULL, "time_zone" = NULL, "title" = NULL, "description" = NULL, "location" = NULL, "status" = NULL, "free_busy" = NULL, "organizer" = NULL, "attendees" = NULL, "my_response" = NULL, "conference_url" = NULL, "categories" = NULL, "uid" = NULL, "original_start" = NULL, "is_recurring" = NULL, "series_id" = NULL, "override_id" = NULL, "calendar_id" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."series_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- calendar.events: resolve series_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "calendar"."series" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'calendar.series'
        AND pending.child_target = 'calendar.events' AND pending.field = 'series_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "calendar"."events" AS child
SET "series_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- calendar.events: tombstone by override_id
UPDATE "calendar"."events" AS stored
SET "start_at" = NULL, "end_at" = NULL, "start_date" = NULL, "end_date" = NULL, "is_all_day" = NULL, "time_zone" = NULL, "title" = NULL, "description" = NULL, "location" = NULL, "status" = NULL, "free_busy" = NULL, "organizer" = NULL, "attendees" = NULL, "my_response" = NULL, "conference_url" = NULL, "categories" = NULL, "uid" = NULL, "original_start" = NULL, "is_recurring" = NULL, "series_id" = NULL, "override_id" = NULL, "calendar_id" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."override_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- calendar.events: resolve override_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "calendar"."series" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'calendar.series'
        AND pending.child_target = 'calendar.events' AND pending.field = 'override_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "calendar"."events" AS child
SET "override_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- calendar.events: tombstone by calendar_id
UPDATE "calendar"."events" AS stored
SET "start_at" = NULL, "end_at" = NULL, "start_date" = NULL, "end_date" = NULL, "is_all_day" = NULL, "time_zone" = NULL, "title" = NULL, "description" = NULL, "location" = NULL, "status" = NULL, "free_busy" = NULL, "organizer" = NULL, "attendees" = NULL, "my_response" = NULL, "conference_url" = NULL, "categories" = NULL, "uid" = NULL, "original_start" = NULL, "is_recurring" = NULL, "series_id" = NULL, "override_id" = NULL, "calendar_id" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."calendar_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- calendar.events: resolve calendar_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "calendar"."calendars" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'calendar.calendars'
        AND pending.child_target = 'calendar.events' AND pending.field = 'calendar_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "calendar"."events" AS child
SET "calendar_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- calendar.series: upsert, absent clears
INSERT INTO "calendar"."series" AS stored (id, user_id, connection_id, source_id, "calendar_id", "uid", "recurrence_id", "series_source_id", "title", "description", "location", "locations", "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "status", "free_busy", "privacy", "rrule", "organizer", "attendees", "my_response", "conference_url", "reminders", "categories", "sequence", "etag", "raw_ical", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."calendar_id", pushed."uid", pushed."recurrence_id", pushed."series_source_id", pushed."title", pushed."description", pushed."location", pushed."locations", pushed."start_at", pushed."end_at", pushed."start_date", pushed."end_date", pushed."is_all_day", pushed."time_zone", pushed."status", pushed."free_busy", pushed."privacy", pushed."rrule", pushed."organizer", pushed."attendees", pushed."my_response", pushed."conference_url", pushed."reminders", pushed."categories", pushed."sequence", pushed."etag", pushed."raw_ical", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "calendar_id" uuid, "uid" text, "recurrence_id" text, "series_source_id" text, "title" text, "description" text, "location" text, "locations" jsonb, "start_at" timestamptz, "end_at" timestamptz, "start_date" date, "end_date" date, "is_all_day" boolean, "time_zone" text, "status" text, "free_busy" text, "privacy" text, "rrule" text[], "organizer" jsonb, "attendees" jsonb, "my_response" text, "conference_url" text, "reminders" jsonb, "categories" text[], "sequence" integer, "etag" text, "raw_ical" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "calendar_id" = excluded."calendar_id", "uid" = excluded."uid", "recurrence_id" = excluded."recurrence_id", "series_source_id" = excluded."series_source_id", "title" = excluded."title", "description" = excluded."description", "location" = excluded."location", "locations" = excluded."locations", "start_at" = excluded."start_at", "end_at" = excluded."end_at", "start_date" = excluded."start_date", "end_date" = excluded."end_date", "is_all_day" = excluded."is_all_day", "time_zone" = excluded."time_zone", "status" = excluded."status", "free_busy" = excluded."free_busy", "privacy" = excluded."privacy", "rrule" = excluded."rrule", "organizer" = excluded."organizer", "attendees" = excluded."attendees", "my_response" = excluded."my_response", "conference_url" = excluded."conference_url", "reminders" = excluded."reminders", "categories" = excluded."categories", "sequence" = excluded."sequence", "etag" = excluded."etag", "raw_ical" = excluded."raw_ical", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."calendar_id", stored."uid", stored."recurrence_id", stored."series_source_id", stored."title", stored."description", stored."location", stored."locations", stored."start_at", stored."end_at", stored."start_date", stored."end_date", stored."is_all_day", stored."time_zone", stored."status", stored."free_busy", stored."privacy", stored."rrule", stored."organizer", stored."attendees", stored."my_response", stored."conference_url", stored."reminders", stored."categories", stored."sequence", stored."etag", stored."raw_ical", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."calendar_id", excluded."uid", excluded."recurrence_id", excluded."series_source_id", excluded."title", excluded."description", excluded."location", excluded."locations", excluded."start_at", excluded."end_at", excluded."start_date", excluded."end_date", excluded."is_all_day", excluded."time_zone", excluded."status", excluded."free_busy", excluded."privacy", excluded."rrule", excluded."organizer", excluded."attendees", excluded."my_response", excluded."conference_url", excluded."reminders", excluded."categories", excluded."sequence", excluded."etag", excluded."raw_ical", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- calendar.series: upsert, absent stays
INSERT INTO "calendar"."series" AS stored (id, user_id, connection_id, source_id, "calendar_id", "uid", "recurrence_id", "series_source_id", "title", "description", "location", "locations", "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "status", "free_busy", "privacy", "rrule", "organizer", "attendees", "my_response", "conference_url", "reminders", "categories", "sequence", "etag", "raw_ical", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."calendar_id", pushed."uid", pushed."recurrence_id", pushed."series_source_id", pushed."title", pushed."description", pushed."location", pushed."locations", pushed."start_at", pushed."end_at", pushed."start_date", pushed."end_date", pushed."is_all_day", pushed."time_zone", pushed."status", pushed."free_busy", pushed."privacy", pushed."rrule", pushed."organizer", pushed."attendees", pushed."my_response", pushed."conference_url", pushed."reminders", pushed."categories", pushed."sequence", pushed."etag", pushed."raw_ical", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "calendar_id" uuid, "uid" text, "recurrence_id" text, "series_source_id" text, "title" text, "description" text, "location" text, "locations" jsonb, "start_at" timestamptz, "end_at" timestamptz, "start_date" date, "end_date" date, "is_all_day" boolean, "time_zone" text, "status" text, "free_busy" text, "privacy" text, "rrule" text[], "organizer" jsonb, "attendees" jsonb, "my_response" text, "conference_url" text, "reminders" jsonb, "categories" text[], "sequence" integer, "etag" text, "raw_ical" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "calendar_id" = coalesce(excluded."calendar_id", stored."calendar_id"), "uid" = coalesce(excluded."uid", stored."uid"), "recurrence_id" = coalesce(excluded."recurrence_id", stored."recurrence_id"), "series_source_id" = coalesce(excluded."series_source_id", stored."series_source_id"), "title" = coalesce(excluded."title", stored."title"), "description" = coalesce(excluded."description", stored."description"), "location" = coalesce(excluded."location", stored."location"), "locations" = coalesce(excluded."locations", stored."locations"), "start_at" = coalesce(excluded."start_at", stored."start_at"), "end_at" = coalesce(excluded."end_at", stored."end_at"), "start_date" = coalesce(excluded."start_date", stored."start_date"), "end_date" = coalesce(excluded."end_date", stored."end_date"), "is_all_day" = coalesce(excluded."is_all_day", stored."is_all_day"), "time_zone" = coalesce(excluded."time_zone", stored."time_zone"), "status" = coalesce(excluded."status", stored."status"), "free_busy" = coalesce(excluded."free_busy", stored."free_busy"), "privacy" = coalesce(excluded."privacy", stored."privacy"), "rrule" = coalesce(excluded."rrule", stored."rrule"), "organizer" = coalesce(excluded."organizer", stored."organizer"), "attendees" = coalesce(excluded."attendees", stored."attendees"), "my_response" = coalesce(excluded."my_response", stored."my_response"), "conference_url" = coalesce(excluded."conference_url", stored."conference_url"), "reminders" = coalesce(excluded."reminders", stored."reminders"), "categories" = coalesce(excluded."categories", stored."categories"), "sequence" = coalesce(excluded."sequence", stored."sequence"), "etag" = coalesce(excluded."etag", stored."etag"), "raw_ical" = coalesce(excluded."raw_ical", stored."raw_ical"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."calendar_id", stored."uid", stored."recurrence_id", stored."series_source_id", stored."title", stored."description", stored."location", stored."locations", stored."start_at", stored."end_at", stored."start_date", stored."end_date", stored."is_all_day", stored."time_zone", stored."status", stored."free_busy", stored."privacy", stored."rrule", stored."organizer", stored."attendees", stored."my_response", stored."conference_url", stored."reminders", stored."categories", stored."sequence", stored."etag", stored."raw_ical", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."calendar_id", stored."calendar_id"), coalesce(excluded."uid", stored."uid"), coalesce(excluded."recurrence_id", stored."recurrence_id"), coalesce(excluded."series_source_id", stored."series_source_id"), coalesce(excluded."title", stored."title"), coalesce(excluded."description", stored."description"), coalesce(excluded."location", stored."location"), coalesce(excluded."locations", stored."locations"), coalesce(excluded."start_at", stored."start_at"), coalesce(excluded."end_at", stored."end_at"), coalesce(excluded."start_date", stored."start_date"), coalesce(excluded."end_date", stored."end_date"), coalesce(excluded."is_all_day", stored."is_all_day"), coalesce(excluded."time_zone", stored."time_zone"), coalesce(excluded."status", stored."status"), coalesce(excluded."free_busy", stored."free_busy"), coalesce(excluded."privacy", stored."privacy"), coalesce(excluded."rrule", stored."rrule"), coalesce(excluded."organizer", stored."organizer"), coalesce(excluded."attendees", stored."attendees"), coalesce(excluded."my_response", stored."my_response"), coalesce(excluded."conference_url", stored."conference_url"), coalesce(excluded."reminders", stored."reminders"), coalesce(excluded."categories", stored."categories"), coalesce(excluded."sequence", stored."sequence"), coalesce(excluded."etag", stored."etag"), coalesce(excluded."raw_ical", stored."raw_ical"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- calendar.series: tombstone
UPDATE "calendar"."series" AS stored
SET "calendar_id" = NULL, "uid" = NULL, "recurrence_id" = NULL, "series_source_id" = NULL, "title" = NULL, "description" = NULL, "location" = NULL, "locations" = NULL, "start_at" = NULL, "end_at" = NULL, "start_date" = NULL, "end_date" = NULL, "is_all_day" = NULL, "time_zone" = NULL, "status" = NULL, "free_busy" = NULL, "privacy" = NULL, "rrule" = NULL, "organizer" = NULL, "attendees" = NULL, "my_response" = NULL, "conference_url" = NULL, "reminders" = NULL, "categories" = NULL, "sequence" = NULL, "etag" = NULL, "raw_ical" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- calendar.series: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "calendar"."series" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- calendar.series: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "calendar_id", "uid", "recurrence_id", "series_source_id", "title", "description", "location", "locations", "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "status", "free_busy", "privacy", "rrule", "organizer", "attendees", "my_response", "conference_url", "reminders", "categories", "sequence", "etag", "raw_ical", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "calendar"."series" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- calendar.series: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "calendar_id", "uid", "recurrence_id", "series_source_id", "title", "description", "location", "locations", "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "status", "free_busy", "privacy", "rrule", "organizer", "attendees", "my_response", "conference_url", "reminders", "categories", "sequence", "etag", "raw_ical", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "calendar"."series" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- calendar.series: restore
INSERT INTO "calendar"."series" (user_id, "calendar_id", "uid", "recurrence_id", "series_source_id", "title", "description", "location", "locations", "start_at", "end_at", "start_date", "end_date", "is_all_day", "time_zone", "status", "free_busy", "privacy", "rrule", "organizer", "attendees", "my_response", "conference_url", "reminders", "categories", "sequence", "etag", "raw_ical")
SELECT $1, told."calendar_id", told."uid", told."recurrence_id", told."series_source_id", told."title", told."description", told."location", told."locations", told."start_at", told."end_at", told."start_date", told."end_date", told."is_all_day", told."time_zone", told."status", told."free_busy", told."privacy", told."rrule", told."organizer", told."attendees", told."my_response", told."conference_url", told."reminders", told."categories", told."sequence", told."etag", told."raw_ical" FROM jsonb_to_recordset($2::text::jsonb) AS told("calendar_id" uuid, "uid" text, "recurrence_id" text, "series_source_id" text, "title" text, "description" text, "location" text, "locations" jsonb, "start_at" timestamptz, "end_at" timestamptz, "start_date" date, "end_date" date, "is_all_day" boolean, "time_zone" text, "status" text, "free_busy" text, "privacy" text, "rrule" text[], "organizer" jsonb, "attendees" jsonb, "my_response" text, "conference_url" text, "reminders" jsonb, "categories" text[], "sequence" integer, "etag" text, "raw_ical" text);

-- calendar.series: tombstone by calendar_id
UPDATE "calendar"."series" AS stored
SET "calendar_id" = NULL, "uid" = NULL, "recurrence_id" = NULL, "series_source_id" = NULL, "title" = NULL, "description" = NULL, "location" = NULL, "locations" = NULL, "start_at" = NULL, "end_at" = NULL, "start_date" = NULL, "end_date" = NULL, "is_all_day" = NULL, "time_zone" = NULL, "status" = NULL, "free_busy" = NULL, "privacy" = NULL, "rrule" = NULL, "organizer" = NULL, "attendees" = NULL, "my_response" = NULL, "conference_url" = NULL, "reminders" = NULL, "categories" = NULL, "sequence" = NULL, "etag" = NULL, "raw_ical" = NULL, raw = NULL, extra = NULL, updated_at = now(), deleted_at = now(), synced_at = now(), changed_xid = pg_current_xact_id()
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.deleted_at IS NULL
    AND stored."calendar_id" = ANY($3::text[]::uuid[]) AND stored.source_id <> ALL($4::text[])
RETURNING stored.id, stored.source_id;

-- calendar.series: resolve calendar_id
WITH arrived AS (
    DELETE FROM pending_references AS pending
    USING "calendar"."calendars" AS parent
    WHERE pending.user_id = $1 AND pending.parent_target = 'calendar.calendars'
        AND pending.child_target = 'calendar.series' AND pending.field = 'calendar_id'
        AND parent.user_id = $1 AND parent.id = ANY($3::uuid[]) AND parent.deleted_at IS NULL
        AND parent.source_id = pending.parent_source_id
        AND (parent.connection_id = pending.connection_id OR parent.connection_id = $2
            OR parent.connection_id = ANY($4::uuid[]))
    RETURNING pending.child_id, parent.id AS parent_id
)
UPDATE "calendar"."series" AS child
SET "calendar_id" = arrived.parent_id, synced_at = now(), changed_xid = pg_current_xact_id()
FROM arrived
WHERE child.user_id = $1 AND child.id = arrived.child_id AND child.deleted_at IS NULL;

-- calendar.calendars: upsert, absent clears
INSERT INTO "calendar"."calendars" AS stored (id, user_id, connection_id, source_id, "name", "color", "time_zone", "is_primary", "access_role", "is_hidden", "url", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."color", pushed."time_zone", pushed."is_primary", pushed."access_role", pushed."is_hidden", pushed."url", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "color" text, "time_zone" text, "is_primary" boolean, "access_role" text, "is_hidden" boolean, "url" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = excluded."name", "color" = excluded."color", "time_zone" = excluded."time_zone", "is_primary" = excluded."is_primary", "access_role" = excluded."access_role", "is_hidden" = excluded."is_hidden", "url" = excluded."url", raw = excluded.raw, extra = excluded.extra, updated_at = excluded.updated_at, synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."color", stored."time_zone", stored."is_primary", stored."access_role", stored."is_hidden", stored."url", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (excluded."name", excluded."color", excluded."time_zone", excluded."is_primary", excluded."access_role", excluded."is_hidden", excluded."url", excluded.raw, excluded.extra, excluded.updated_at))
RETURNING id, (xmax = 0) AS inserted;

-- calendar.calendars: upsert, absent stays
INSERT INTO "calendar"."calendars" AS stored (id, user_id, connection_id, source_id, "name", "color", "time_zone", "is_primary", "access_role", "is_hidden", "url", raw, extra, updated_at)
SELECT pushed.id, $1, $2, pushed.source_id, pushed."name", pushed."color", pushed."time_zone", pushed."is_primary", pushed."access_role", pushed."is_hidden", pushed."url", pushed.raw, pushed.extra, pushed.updated_at
FROM jsonb_to_recordset($3) AS pushed(id uuid, source_id text, "name" text, "color" text, "time_zone" text, "is_primary" boolean, "access_role" text, "is_hidden" boolean, "url" text, raw jsonb, extra jsonb, updated_at timestamptz)
ON CONFLICT (connection_id, source_id) DO UPDATE
SET "name" = coalesce(excluded."name", stored."name"), "color" = coalesce(excluded."color", stored."color"), "time_zone" = coalesce(excluded."time_zone", stored."time_zone"), "is_primary" = coalesce(excluded."is_primary", stored."is_primary"), "access_role" = coalesce(excluded."access_role", stored."access_role"), "is_hidden" = coalesce(excluded."is_hidden", stored."is_hidden"), "url" = coalesce(excluded."url", stored."url"), raw = coalesce(excluded.raw, stored.raw), extra = coalesce(excluded.extra, stored.extra), updated_at = coalesce(excluded.updated_at, stored.updated_at), synced_at = now(), changed_xid = pg_current_xact_id(), deleted_at = NULL
WHERE (excluded.updated_at IS NULL OR stored.updated_at IS NULL OR excluded.updated_at >= stored.updated_at)
    AND (stored.deleted_at IS NOT NULL OR (stored."name", stored."color", stored."time_zone", stored."is_primary", stored."access_role", stored."is_hidden", stored."url", stored.raw, stored.extra, stored.updated_at) IS DISTINCT FROM (coalesce(excluded."name", stored."name"), coalesce(excluded."color", stored."color"), coalesce(excluded."time_zone", stored."time_zone"), coalesce(excluded."is_primary", stored."is_primary"), coalesce(excluded."access_role", stored."access_role"), coalesce(excluded."is_hidden", stored."is_hidden"), coalesce(excluded."url", stored."url"), coalesce(excluded.raw, stored.raw), coalesce(excluded.extra, stored.extra), coalesce(excluded.updated_at, stored.updated_at)))
RETURNING id, (xmax = 0) AS inserted;

-- calendar.calendars: tombstone
UPDATE "calendar"."calendars" AS stored
SET "name" = NULL, "color" = NULL, "time_zone" = NULL, "is_primary" = NULL, "access_role" = NULL, "is_hidden" = NULL, "url" = NULL, raw = NULL, extra = NULL, updated_at = coalesce(gone.updated_at, now()), deleted_at = now(), synced_at = now(),
    changed_xid = pg_current_xact_id()
FROM jsonb_to_recordset($3) AS gone(source_id text, updated_at timestamptz)
WHERE stored.user_id = $1 AND stored.connection_id = $2 AND stored.source_id = gone.source_id
    AND stored.deleted_at IS NULL
    AND (gone.updated_at IS NULL OR stored.updated_at IS NULL OR gone.updated_at >= stored.updated_at)
RETURNING stored.id, stored.source_id;

-- calendar.calendars: look up
SELECT names.name, found.id
FROM unnest($3::text[]) AS names(name)
JOIN "calendar"."calendars" AS found ON found.user_id = $1 AND found.deleted_at IS NULL
    AND (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END
        OR (found.source_id = names.name AND found.connection_id = ANY(array_append($4::uuid[], $2::uuid))))
ORDER BY names.name, (found.id = CASE WHEN names.name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN names.name::uuid END) IS TRUE DESC, (found.connection_id = $2) DESC, found.id;

-- calendar.calendars: export
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "color", "time_zone", "is_primary", "access_role", "is_hidden", "url", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "calendar"."calendars" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- calendar.calendars: export of evidence
SELECT to_jsonb(kept)::text AS line
FROM (SELECT "id", "connection_id", "source_id", "name", "color", "time_zone", "is_primary", "access_role", "is_hidden", "url", "raw", "extra", "updated_at", "synced_at", "deleted_at" FROM "calendar"."calendars" WHERE user_id = $1 ORDER BY id) AS kept
ORDER BY kept.id;

-- calendar.calendars: restore
INSERT INTO "calendar"."calendars" (user_id, "name", "color", "time_zone", "is_primary", "access_role", "is_hidden", "url")
SELECT $1, told."name", told."color", told."time_zone", told."is_primary", told."access_role", told."is_hidden", told."url" FROM jsonb_to_recordset($2::text::jsonb) AS told("name" text, "color" text, "time_zone" text, "is_primary" boolean, "access_role" text, "is_hidden" boolean, "url" text);

-- erase of connections: calendar.events
DELETE FROM "calendar"."events" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: calendar.series
DELETE FROM "calendar"."series" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- erase of connections: calendar.calendars
DELETE FROM "calendar"."calendars" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count before an erase
SELECT 'calendar.events' AS place, count(*) AS n FROM "calendar"."events" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'calendar.series' AS place, count(*) AS n FROM "calendar"."series" WHERE user_id = $1 AND connection_id = ANY($2::uuid[])
UNION ALL SELECT 'calendar.calendars' AS place, count(*) AS n FROM "calendar"."calendars" WHERE user_id = $1 AND connection_id = ANY($2::uuid[]);

-- count of a connection
SELECT sum(n)::bigint AS n FROM (
SELECT count(*) AS n FROM "calendar"."events" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "calendar"."series" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
UNION ALL SELECT count(*) AS n FROM "calendar"."calendars" WHERE user_id = $1 AND connection_id = $2 AND deleted_at IS NULL
) AS counted;

