-- What was booked on the accounts $2 on, beside them, the days $3.
SELECT booking.account_id, booking.booked_on AS "day", booking.amount, booking.balance_after, booking.currency,
    booking.transacted_at
FROM unnest($2::uuid[], $3::date[]) AS wanted(account_id, "day")
-- By OFFSET 0 each day is looked up by itself, by index.
CROSS JOIN LATERAL (
    SELECT account_id, booked_on, amount, balance_after, currency, transacted_at, deleted_at, status
    FROM finance.transactions
    WHERE user_id = $1 AND account_id = wanted.account_id AND booked_on = wanted."day"
    OFFSET 0
) AS booking
WHERE booking.deleted_at IS NULL AND booking.status IS DISTINCT FROM 'pending'
