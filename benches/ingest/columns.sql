-- The columns of the table $1 that are stored as given, with their types.
SELECT quote_ident(attname), format_type(atttypid, NULL)
FROM pg_attribute
WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
ORDER BY attnum
