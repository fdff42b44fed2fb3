-- Rows of each sector, all its tables together, without those that were deleted, as they are kept.
SELECT split_part(target, '.', 1) AS sector, sum(rows)::bigint AS n
FROM sums.counts
WHERE user_id = $1 AND field = ''
GROUP BY 1
