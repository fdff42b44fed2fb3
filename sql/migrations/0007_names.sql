-- Columns are called as agents and devices call them: the date of a holding or a balance is its day, recipients are `to`, `cc`
-- and `bcc`, and what a source says of its last change is `updated_at`. Nothing is rewritten but the occurrences' stamps.

ALTER TABLE finance.holdings RENAME COLUMN as_of TO "day";
ALTER TABLE finance.balances RENAME COLUMN as_of TO "day";
ALTER TABLE mail.messages RENAME COLUMN "to_" TO "to";
ALTER TABLE mail.messages RENAME COLUMN cc_ TO cc;
ALTER TABLE mail.messages RENAME COLUMN bcc_ TO bcc;

DO $$
DECLARE
    place text;
BEGIN
    FOR place IN
        SELECT format('%I.%I', table_schema, table_name)
        FROM information_schema.columns
        WHERE column_name = 'source_updated_at'
            AND table_schema IN ('finance', 'mail', 'calendar', 'contacts', 'health', 'home', 'evidence')
    LOOP
        EXECUTE format('ALTER TABLE %s RENAME COLUMN source_updated_at TO updated_at', place);
    END LOOP;
END
$$;

-- "What has changed since" is asked of these.
CREATE INDEX ON contacts.people (user_id, updated_at DESC NULLS LAST, id DESC);
CREATE INDEX ON calendar.series (user_id, updated_at DESC NULLS LAST, id DESC);
CREATE INDEX ON mail.messages (user_id, updated_at DESC NULLS LAST, id DESC);

-- Occurrences bear the stamp of what they were made of: their exception's, or their series'.
UPDATE calendar.events AS event
SET updated_at = coalesce(exception.updated_at, series.updated_at)
FROM calendar.events AS made
LEFT JOIN calendar.series AS series ON series.id = made.series_id AND series.deleted_at IS NULL
LEFT JOIN calendar.series AS exception ON exception.id = made.override_id AND exception.deleted_at IS NULL
WHERE event.id = made.id AND event.deleted_at IS NULL AND coalesce(exception.updated_at, series.updated_at) IS NOT NULL;
