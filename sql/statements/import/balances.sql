INSERT INTO evidence.balances (user_id, account_id, stated_at, "current", available, currency)
SELECT $1, account_id, stated_at, "current", available, currency
FROM jsonb_populate_recordset(NULL::evidence.balances, $2::text::jsonb)
