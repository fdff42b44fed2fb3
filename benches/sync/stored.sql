SELECT sum(upserted)::bigint FROM sync_runs
