-- What a home was is kept for thirty days, where it is read from a home. What is older goes as any row does: it leaves a tombstone,
-- by which a change cursor tells of it. Thirty days later the tombstone goes too; a change cursor that has not seen it is refused
-- from then on.

-- The last transaction whose tombstones of home.history may be gone.
ALTER TABLE generations ADD COLUMN history_purged xid8 NOT NULL DEFAULT '0';

CREATE INDEX ON source_items (connection_id, at) WHERE scope = 'history';
CREATE INDEX ON home.history (deleted_at) WHERE deleted_at IS NOT NULL;
