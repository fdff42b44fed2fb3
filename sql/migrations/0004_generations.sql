-- Change cursors name transactions, which start anew where rows come back under old ids or go without a tombstone: erased,
-- imported, restored. Each of these begins a generation, and a cursor of an older one is refused (interfaces §7).
CREATE TABLE generations (
    user_id uuid PRIMARY KEY REFERENCES users,
    generation uuid NOT NULL DEFAULT gen_random_uuid()
);

INSERT INTO generations (user_id) SELECT id FROM users;
