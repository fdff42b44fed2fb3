-- Flushes wait for one step of the count anew, and it for them: both change counts of the hour in which the schema was changed, each
-- in an order of its own.
LOCK TABLE audit_hourly IN SHARE ROW EXCLUSIVE MODE
