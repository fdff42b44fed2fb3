-- Every edit of a grant makes a new edition of it. Sessions are opened under an edition, so that one that an edit has ended
-- stays ended when the service starts again, even if the grant then reads as it did before.
CREATE TABLE agent_editions (
    user_id uuid NOT NULL,
    name text NOT NULL,
    edition integer NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, name),
    FOREIGN KEY (user_id, name) REFERENCES agents ON DELETE CASCADE
);

INSERT INTO agent_editions (user_id, name)
SELECT user_id, name
FROM agents;
