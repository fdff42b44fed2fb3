-- Whose the counted calls are, as in the record itself (r006): a count has a user, or none, as a refusal has none.
--
-- What was counted before has none, whoever called, until it has been counted anew from the record. That is done in small steps
-- while the service runs (sql/statements/audit_hourly/count_anew.sql), since a record of years is long; each step moves counts from
-- no user to their own, so that whatever is read meanwhile adds up.

ALTER TABLE audit_hourly ADD COLUMN user_id uuid REFERENCES users;
ALTER TABLE audit_hourly DROP CONSTRAINT audit_hourly_hour_agent_id_tool_sector_decision_outcome_key;
ALTER TABLE audit_hourly ADD CONSTRAINT audit_hourly_counted_once
    UNIQUE NULLS NOT DISTINCT (hour, user_id, agent_id, tool, sector, decision, outcome);
DROP INDEX audit_hourly_agent_id_hour;
DROP INDEX audit_hourly_tool;
CREATE INDEX audit_hourly_user_id_agent_id_hour ON audit_hourly (user_id, agent_id, hour);
CREATE INDEX audit_hourly_user_id_tool ON audit_hourly (user_id, tool);

-- The rows of the record that were counted without their user: those after `done_id`, up to `last_id`. Empty once there are none.
-- The lock that the changes above hold lets no flush be under way, so that every later row has a larger id.
CREATE TABLE audit_hourly_recount (
    done_id bigint NOT NULL,
    last_id bigint NOT NULL
);
INSERT INTO audit_hourly_recount (done_id, last_id)
SELECT 0, max(id) FROM audit_log HAVING max(id) IS NOT NULL;
