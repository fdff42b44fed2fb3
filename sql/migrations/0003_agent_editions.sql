-- Every edit of a grant makes a new edition of it. Sessions are opened under an edition, so that one that an edit has ended
-- stays ended when the service starts again, even if the grant then reads as it did before.
ALTER TABLE agents ADD COLUMN edition integer NOT NULL DEFAULT 0;
