UPDATE generations SET generation = gen_random_uuid() WHERE user_id = $1
