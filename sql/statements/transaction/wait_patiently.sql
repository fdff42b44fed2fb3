-- Pushes to one connection wait for one another, a disconnect for them, and each may hold much.
SET LOCAL lock_timeout = '120s'
