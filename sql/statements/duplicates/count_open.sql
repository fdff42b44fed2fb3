-- How many questions wait for the operator.
SELECT count(*) AS n
FROM evidence.account_pairs AS pair
JOIN finance.accounts AS a ON a.id = pair.first_account AND a.removed_at IS NULL
JOIN finance.accounts AS b ON b.id = pair.second_account AND b.removed_at IS NULL
WHERE pair.user_id = $1 AND pair.state = 'open'
