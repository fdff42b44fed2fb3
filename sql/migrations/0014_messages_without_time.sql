-- Live messages without a time of receipt, which the index by time has among those that were deleted
-- (src/query/compile/coverage.rs). A message with a time is not in it, so a push pays nothing for it.
CREATE INDEX ON mail.messages (user_id, id DESC) WHERE received_at IS NULL AND deleted_at IS NULL;
