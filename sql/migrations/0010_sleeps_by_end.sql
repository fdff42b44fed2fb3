-- A day's sleeps are those that end on it.
CREATE INDEX ON health.sleeps (user_id, end_at);
