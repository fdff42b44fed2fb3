-- Whatever was asked and answered of the accounts of the connections $2.
DELETE FROM evidence.account_pairs
WHERE user_id = $1 AND (first_connection = ANY($2::uuid[]) OR second_connection = ANY($2::uuid[]))
