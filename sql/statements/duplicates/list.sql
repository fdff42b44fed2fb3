-- Pairs whose accounts are there: the one $2, or all; the open ones, the answered ones, or both, by $3 (is open); at the most $4, the
-- newest first.
SELECT pair.id, pair.state, pair.answered_by, pair.reason, pair.answered_at, a.id AS a, b.id AS b
FROM evidence.account_pairs AS pair
JOIN finance.accounts AS a ON a.id = pair.first_account AND a.removed_at IS NULL
JOIN finance.accounts AS b ON b.id = pair.second_account AND b.removed_at IS NULL
WHERE pair.user_id = $1 AND ($2::uuid IS NULL OR pair.id = $2) AND ($3::boolean IS NULL OR (pair.state = 'open') = $3)
ORDER BY coalesce(pair.answered_at, pair.asked_at) DESC, pair.id
LIMIT $4
