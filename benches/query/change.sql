UPDATE finance.transactions
SET amount = amount + 1, changed_xid = pg_current_xact_id()
WHERE source_id IN (SELECT 'transaction ' || n FROM generate_series(1, {count}) AS n);
