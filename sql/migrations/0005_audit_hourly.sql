-- Ways into the counted record other than by the hour: which agents and verbs there are, and when an agent was last seen. No column
-- that a flush changes is in them, so that counting on stays cheap.
CREATE INDEX audit_hourly_agent_id_hour ON audit_hourly (agent_id, hour);
CREATE INDEX audit_hourly_tool ON audit_hourly (tool);
