DELETE FROM evidence.account_pairs WHERE user_id = $1 AND id = ANY($2::uuid[])
