-- An account has the balance that was stated last. A file or a device may tell an older one later: it is evidence of its day, and the
-- account's own balance stays. What bears `updated_at` is ordered by that instead, and a source that is read says what is true now.
CREATE FUNCTION evidence.keep_latest_statement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM connections WHERE id = NEW.connection_id AND provider = 'push') THEN
        RETURN NEW;
    END IF;
    IF coalesce(NEW.balance_current, NEW.balance_available) IS NOT NULL THEN
        INSERT INTO evidence.balances AS kept (user_id, account_id, stated_at, "current", available, currency)
        VALUES (NEW.user_id, NEW.id, NEW.balance_as_of, NEW.balance_current, NEW.balance_available, NEW.currency)
        ON CONFLICT (account_id, stated_at) DO UPDATE
        SET "current" = excluded."current", available = excluded.available, currency = excluded.currency
        WHERE (kept."current", kept.available, kept.currency)
            IS DISTINCT FROM (excluded."current", excluded.available, excluded.currency);
    END IF;
    NEW.balance_current := OLD.balance_current;
    NEW.balance_available := OLD.balance_available;
    NEW.balance_limit := OLD.balance_limit;
    NEW.balance_as_of := OLD.balance_as_of;
    RETURN NEW;
END
$$;

CREATE TRIGGER older_statement_is_evidence BEFORE UPDATE ON finance.accounts FOR EACH ROW
    WHEN (NEW.updated_at IS NULL AND NEW.balance_as_of < OLD.balance_as_of)
    EXECUTE FUNCTION evidence.keep_latest_statement();
