-- The first line of the JSON array $2 whose connection, by its id, is another here: of another person, sector or table.
SELECT min(told.place) AS place
FROM jsonb_array_elements($2::text::jsonb) WITH ORDINALITY AS told(line, place)
JOIN connections AS here ON here.id = (told.line ->> 'id')::uuid
WHERE here.user_id <> $1 OR here.sector <> told.line ->> 'sector' OR here.target_table <> told.line ->> 'target_table'
