-- What decides whether two sign-ins are of one account, apart from what a person knows the account by: some providers have no better than
-- an opaque id for the first.
ALTER TABLE sign_ins ADD COLUMN identity text;
UPDATE sign_ins SET identity = account;
ALTER TABLE sign_ins ALTER COLUMN identity SET NOT NULL;
ALTER TABLE sign_ins DROP CONSTRAINT sign_ins_account;
ALTER TABLE sign_ins ADD CONSTRAINT sign_ins_identity UNIQUE (user_id, provider, identity);
