-- Rows of each sector, all its tables together, without those that were deleted.
SELECT sector, sum(n)::bigint AS n
FROM (
    SELECT 'finance' AS sector, count(*) AS n FROM finance.transactions WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'finance' AS sector, count(*) AS n FROM finance.accounts WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'finance' AS sector, count(*) AS n FROM finance.holdings WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'finance' AS sector, count(*) AS n FROM finance.balances WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'mail' AS sector, count(*) AS n FROM mail.messages WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'mail' AS sector, count(*) AS n FROM mail.mailboxes WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'mail' AS sector, count(*) AS n FROM mail.attachments WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'calendar' AS sector, count(*) AS n FROM calendar.events WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'calendar' AS sector, count(*) AS n FROM calendar.series WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'calendar' AS sector, count(*) AS n FROM calendar.calendars WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'contacts' AS sector, count(*) AS n FROM contacts.people WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'contacts' AS sector, count(*) AS n FROM contacts.groups WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'health' AS sector, count(*) AS n FROM health.samples WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'health' AS sector, count(*) AS n FROM health.days WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'health' AS sector, count(*) AS n FROM health.sleeps WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'health' AS sector, count(*) AS n FROM health.workouts WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'health' AS sector, count(*) AS n FROM health.recoveries WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'health' AS sector, count(*) AS n FROM health.cycles WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'health' AS sector, count(*) AS n FROM health.devices WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'home' AS sector, count(*) AS n FROM home.entities WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'home' AS sector, count(*) AS n FROM home.history WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'home' AS sector, count(*) AS n FROM home.areas WHERE user_id = $1 AND deleted_at IS NULL
    UNION ALL
    SELECT 'home' AS sector, count(*) AS n FROM home.devices WHERE user_id = $1 AND deleted_at IS NULL
) AS counted
GROUP BY sector
