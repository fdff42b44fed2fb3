-- One that waited longer for a lock would hold up everybody who comes after it.
SET LOCAL lock_timeout = '3s'
