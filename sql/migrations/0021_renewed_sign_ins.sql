-- Which sign-in a consent was to renew whose account could not be asked yet. Where that one is removed meanwhile, the consent becomes a
-- sign-in of its own.
ALTER TABLE sign_ins ADD COLUMN renews uuid REFERENCES sign_ins ON DELETE SET NULL;
