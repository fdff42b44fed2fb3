-- An edit that is waited for too long holds up every later one behind this lock.
SET LOCAL lock_timeout = '3s';
LOCK TABLE agents IN SHARE MODE
