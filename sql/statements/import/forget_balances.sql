-- What the accounts stated as they were stored: of each only its last balance.
DELETE FROM evidence.balances WHERE user_id = $1
