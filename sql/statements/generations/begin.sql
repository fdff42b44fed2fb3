UPDATE generations SET generation = gen_random_uuid(), history_purged = '0' WHERE user_id = $1
