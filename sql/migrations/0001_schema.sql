-- The first schema: the service's own tables, the record, and the tables of the six sectors.
-- The sector tables stand in src/catalog/ with the same columns; a test holds the two together.

CREATE TABLE users (
    id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- The one operator (spec §1). The id is a constant of the code.
INSERT INTO users (id) VALUES ('00000000-0000-4000-8000-000000000001');

-- Exactly the fields of a grant (spec §2.2); the key itself is never here.
CREATE TABLE agents (
    user_id uuid NOT NULL REFERENCES users,
    name text NOT NULL,
    key_hash bytea NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
    sectors text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    expires_at timestamptz,
    PRIMARY KEY (user_id, name)
);

CREATE TABLE sign_ins (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    provider text NOT NULL,
    label text NOT NULL,
    sealed bytea,
    scopes text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
);

CREATE TABLE connections (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    sign_in_id uuid REFERENCES sign_ins,
    provider text NOT NULL,
    label text NOT NULL,
    sector text NOT NULL CHECK (sector IN ('finance', 'mail', 'calendar', 'contacts', 'health', 'home')),
    target_table text NOT NULL,
    config jsonb NOT NULL DEFAULT '{}',
    paused_at timestamptz,
    removed_at timestamptz,
    ingest_secret_sha256 bytea,
    interval_s integer,
    window_days integer,
    health text NOT NULL DEFAULT 'ok' CHECK (health IN (
        'ok', 'syncing', 'waiting', 'backing_off', 'needs_sign_in', 'needs_credentials',
        'consent_expired', 'quota_spent', 'parked'
    )),
    problem jsonb,
    retry_at timestamptz,
    last_success_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE sync_cursors (
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    scope text NOT NULL,
    cursor jsonb,
    window_start timestamptz,
    window_end timestamptz,
    full_sync_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (connection_id, scope)
);

CREATE TABLE sync_runs (
    id bigserial PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    outcome text,
    upserted integer NOT NULL DEFAULT 0,
    deleted integer NOT NULL DEFAULT 0,
    message text
);
CREATE INDEX ON sync_runs (connection_id, started_at DESC);

CREATE TABLE settings (
    user_id uuid NOT NULL REFERENCES users,
    name text NOT NULL,
    value jsonb NOT NULL,
    PRIMARY KEY (user_id, name)
);

-- A reference in a pushed record whose parent has not arrived yet: the device's own name for it, kept until it does.
CREATE TABLE pending_references (
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    parent_target text NOT NULL,
    parent_source_id text NOT NULL,
    child_target text NOT NULL,
    child_id uuid NOT NULL,
    field text NOT NULL,
    PRIMARY KEY (child_id, field)
);
CREATE INDEX ON pending_references (parent_target, parent_source_id);

-- The record (spec §2.1): twelve columns, one index beside the primary key, and nothing that changes or deletes a row.
CREATE TABLE audit_log (
    id bigserial PRIMARY KEY,
    user_id uuid REFERENCES users (id),
    agent_id text,
    tool text NOT NULL,
    sector text,
    decision text NOT NULL CHECK (decision IN ('allow', 'deny')),
    deny_reason text,
    args jsonb,
    result_count integer,
    outcome text CHECK (outcome IN ('ok', 'error')),
    request_id text,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_log_user_id_created_at ON audit_log (user_id, created_at DESC);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the record only grows: % on % is refused', TG_OP, TG_TABLE_NAME;
END
$$;

CREATE TRIGGER audit_log_rows_stay BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_stays BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_rows_stay;
ALTER TABLE audit_log ENABLE ALWAYS TRIGGER audit_log_stays;

-- The record counted by the hour, in the same transaction: facets, plots and last calls need no scan of the record.
CREATE TABLE audit_hourly (
    hour timestamptz NOT NULL,
    agent_id text,
    tool text NOT NULL,
    sector text,
    decision text NOT NULL,
    outcome text,
    n bigint NOT NULL,
    last_at timestamptz NOT NULL,
    UNIQUE NULLS NOT DISTINCT (hour, agent_id, tool, sector, decision, outcome)
);

-- How far the local journal has been written to the record.
CREATE TABLE audit_position (
    journal_uuid uuid PRIMARY KEY,
    seq bigint NOT NULL
);

CREATE SCHEMA finance;
CREATE SCHEMA mail;
CREATE SCHEMA calendar;
CREATE SCHEMA contacts;
CREATE SCHEMA health;
CREATE SCHEMA home;

CREATE TABLE finance.transactions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    account_id uuid,
    status text,
    amount numeric(19,4),
    currency text,
    booked_on date,
    value_on date,
    transacted_at timestamptz,
    description text,
    counterparty_name text,
    counterparty_account text,
    merchant_name text,
    mcc text,
    category text,
    payment_channel text,
    reference text,
    balance_after numeric(19,4),
    fx jsonb,
    replaces_id uuid,
    source_id_is_synthetic boolean,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(description, '')), 'A')
        || setweight(to_tsvector('simple', coalesce(counterparty_name, '')), 'A')
        || setweight(to_tsvector('simple', coalesce(merchant_name, '')), 'A')
        || setweight(to_tsvector('simple', coalesce(category, '')), 'B')
        || setweight(to_tsvector('simple', coalesce(reference, '')), 'C')
    ) STORED,
    CHECK (deleted_at IS NOT NULL OR (amount IS NOT NULL AND booked_on IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON finance.transactions (user_id, changed_xid);
CREATE INDEX ON finance.transactions (user_id, booked_on DESC NULLS LAST, id DESC);
CREATE INDEX ON finance.transactions (account_id, booked_on DESC NULLS LAST, id DESC);
CREATE INDEX ON finance.transactions (replaces_id, booked_on DESC NULLS LAST, id DESC);
CREATE INDEX ON finance.transactions USING gin (tsv);

CREATE TABLE finance.accounts (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    "name" text,
    official_name text,
    institution_name text,
    institution_id text,
    institution_domain text,
    "type" text,
    subtype text,
    currency text,
    mask text,
    iban text,
    balance_current numeric(19,4),
    balance_available numeric(19,4),
    balance_limit numeric(19,4),
    balance_as_of timestamptz,
    status text,
    bank_error_code text,
    bank_error_message text,
    consent_expires_at timestamptz,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce("name", '')), 'A')
        || setweight(to_tsvector('simple', coalesce(official_name, '')), 'B')
        || setweight(to_tsvector('simple', coalesce(institution_name, '')), 'A')
    ) STORED,
    CHECK (deleted_at IS NOT NULL OR ("name" IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON finance.accounts (user_id, changed_xid);
CREATE INDEX ON finance.accounts (user_id, balance_as_of DESC NULLS LAST, id DESC);
CREATE INDEX ON finance.accounts USING gin (tsv);

CREATE TABLE finance.holdings (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    account_id uuid,
    as_of date,
    symbol text,
    isin text,
    "name" text,
    quantity numeric(28,10),
    price numeric(28,10),
    market_value numeric(19,4),
    cost_basis numeric(19,4),
    currency text,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(symbol, '')), 'A')
        || setweight(to_tsvector('simple', coalesce("name", '')), 'A')
    ) STORED,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON finance.holdings (user_id, changed_xid);
CREATE INDEX ON finance.holdings (user_id, as_of DESC NULLS LAST, id DESC);
CREATE INDEX ON finance.holdings (account_id, as_of DESC NULLS LAST, id DESC);
CREATE INDEX ON finance.holdings USING gin (tsv);

CREATE TABLE finance.balances (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    account_id uuid,
    as_of date,
    "current" numeric(19,4),
    available numeric(19,4),
    currency text,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON finance.balances (user_id, changed_xid);
CREATE INDEX ON finance.balances (user_id, as_of DESC NULLS LAST, id DESC);
CREATE INDEX ON finance.balances (account_id, as_of DESC NULLS LAST, id DESC);

CREATE TABLE mail.messages (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    mailbox_id uuid,
    message_id text,
    in_reply_to text[],
    thread_id text,
    subject text,
    from_name text,
    from_email text,
    sender jsonb,
    "to_" jsonb,
    cc_ jsonb,
    bcc_ jsonb,
    reply_to jsonb,
    sent_at timestamptz,
    received_at timestamptz,
    is_read boolean,
    is_flagged boolean,
    is_answered boolean,
    is_draft boolean,
    importance text,
    categories text[],
    size bigint,
    has_attachment boolean,
    preview text,
    body_text text,
    body_html text,
    body_truncated boolean,
    list_id text,
    headers jsonb,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(subject, '')), 'A')
        || setweight(to_tsvector('simple', coalesce(from_name, '')), 'B')
        || setweight(to_tsvector('simple', coalesce(from_email, '')), 'B')
        || setweight(to_tsvector('simple', coalesce(body_text, '')), 'C')
    ) STORED,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON mail.messages (user_id, changed_xid);
CREATE INDEX ON mail.messages (user_id, received_at DESC NULLS LAST, id DESC);
CREATE INDEX ON mail.messages (mailbox_id, received_at DESC NULLS LAST, id DESC);
CREATE INDEX ON mail.messages USING gin (tsv);

CREATE TABLE mail.mailboxes (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    "name" text,
    path text,
    role text,
    parent_id uuid,
    total integer,
    unread integer,
    uid_validity bigint,
    uid_next bigint,
    highest_modseq bigint,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce("name", '')), 'A')
    ) STORED,
    CHECK (deleted_at IS NOT NULL OR ("name" IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON mail.mailboxes (user_id, changed_xid);
CREATE INDEX ON mail.mailboxes (parent_id);
CREATE INDEX ON mail.mailboxes USING gin (tsv);

CREATE TABLE mail.attachments (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    message_id uuid,
    part_id text,
    filename text,
    content_type text,
    size bigint,
    content_id text,
    is_inline boolean,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(filename, '')), 'A')
    ) STORED,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON mail.attachments (user_id, changed_xid);
CREATE INDEX ON mail.attachments (message_id);
CREATE INDEX ON mail.attachments USING gin (tsv);

CREATE TABLE calendar.events (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    start_at timestamptz,
    end_at timestamptz,
    start_date date,
    end_date date,
    is_all_day boolean,
    time_zone text,
    title text,
    description text,
    location text,
    status text,
    free_busy text,
    organizer jsonb,
    attendees jsonb,
    my_response text,
    conference_url text,
    categories text[],
    uid text,
    original_start text,
    is_recurring boolean,
    series_id uuid,
    override_id uuid,
    calendar_id uuid,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(title, '')), 'A')
        || setweight(to_tsvector('simple', coalesce(description, '')), 'C')
        || setweight(to_tsvector('simple', coalesce(location, '')), 'B')
    ) STORED,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON calendar.events (user_id, changed_xid);
CREATE INDEX ON calendar.events (user_id, start_at DESC NULLS LAST, id DESC);
CREATE INDEX ON calendar.events (series_id, start_at DESC NULLS LAST, id DESC);
CREATE INDEX ON calendar.events (override_id, start_at DESC NULLS LAST, id DESC);
CREATE INDEX ON calendar.events (calendar_id, start_at DESC NULLS LAST, id DESC);
CREATE INDEX ON calendar.events USING gin (tsv);

CREATE TABLE calendar.series (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    calendar_id uuid,
    uid text,
    recurrence_id text,
    series_source_id text,
    title text,
    description text,
    location text,
    locations jsonb,
    start_at timestamptz,
    end_at timestamptz,
    start_date date,
    end_date date,
    is_all_day boolean,
    time_zone text,
    status text,
    free_busy text,
    privacy text,
    rrule text[],
    organizer jsonb,
    attendees jsonb,
    my_response text,
    conference_url text,
    reminders jsonb,
    categories text[],
    sequence integer,
    etag text,
    raw_ical text,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(title, '')), 'A')
        || setweight(to_tsvector('simple', coalesce(description, '')), 'C')
        || setweight(to_tsvector('simple', coalesce(location, '')), 'B')
    ) STORED,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON calendar.series (connection_id, series_source_id);
CREATE INDEX ON calendar.series (user_id, changed_xid);
CREATE INDEX ON calendar.series (user_id, start_at DESC NULLS LAST, id DESC);
CREATE INDEX ON calendar.series (calendar_id, start_at DESC NULLS LAST, id DESC);
CREATE INDEX ON calendar.series USING gin (tsv);

CREATE TABLE calendar.calendars (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    "name" text,
    color text,
    time_zone text,
    is_primary boolean,
    access_role text,
    is_hidden boolean,
    url text,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce("name", '')), 'A')
    ) STORED,
    CHECK (deleted_at IS NOT NULL OR ("name" IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON calendar.calendars (user_id, changed_xid);
CREATE INDEX ON calendar.calendars USING gin (tsv);

CREATE TABLE contacts.people (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    full_name text,
    name_given text,
    name_surname text,
    name_middle text,
    name_prefix text,
    name_suffix text,
    nicknames text[],
    kind text,
    organization text,
    department text,
    title text,
    emails jsonb,
    phones jsonb,
    addresses jsonb,
    urls jsonb,
    birthday_month integer,
    birthday_day integer,
    birthday_year integer,
    anniversary date,
    notes text,
    photo_url text,
    categories text[],
    uid text,
    etag text,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(full_name, '')), 'A')
        || setweight(to_tsvector('simple', coalesce(name_given, '')), 'A')
        || setweight(to_tsvector('simple', coalesce(name_surname, '')), 'A')
        || setweight(to_tsvector('simple', coalesce(organization, '')), 'B')
        || setweight(to_tsvector('simple', coalesce(title, '')), 'C')
        || setweight(to_tsvector('simple', coalesce(notes, '')), 'C')
    ) STORED,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON contacts.people (user_id, changed_xid);
CREATE INDEX ON contacts.people (user_id, full_name, id);
CREATE INDEX ON contacts.people USING gin (tsv);

CREATE TABLE contacts.groups (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    "name" text,
    uid text,
    member_uids text[],
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce("name", '')), 'A')
    ) STORED,
    CHECK (deleted_at IS NOT NULL OR ("name" IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON contacts.groups (user_id, changed_xid);
CREATE INDEX ON contacts.groups (user_id, "name", id);
CREATE INDEX ON contacts.groups USING gin (tsv);

CREATE TABLE health.samples (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    device_id uuid,
    metric text,
    "value" double precision,
    unit text,
    start_at timestamptz,
    end_at timestamptz,
    zone_offset text,
    external_id text,
    is_daily_total boolean,
    meta jsonb,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    CHECK (deleted_at IS NOT NULL OR (metric IS NOT NULL AND "value" IS NOT NULL AND start_at IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON health.samples (user_id, changed_xid);
CREATE INDEX ON health.samples (user_id, start_at DESC NULLS LAST, id DESC);
CREATE INDEX ON health.samples (device_id, start_at DESC NULLS LAST, id DESC);

CREATE TABLE health.days (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    "day" date,
    steps integer,
    distance_m double precision,
    energy_kcal double precision,
    flights_climbed integer,
    exercise_minutes double precision,
    resting_heart_rate double precision,
    hrv_rmssd_ms double precision,
    recovery_score double precision,
    strain double precision,
    sleep_minutes double precision,
    weight_kg double precision,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    CHECK (deleted_at IS NOT NULL OR ("day" IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON health.days (user_id, changed_xid);
CREATE INDEX ON health.days (user_id, "day" DESC NULLS LAST, id DESC);

CREATE TABLE health.sleeps (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    start_at timestamptz,
    end_at timestamptz,
    zone_offset text,
    cycle_source_id text,
    is_nap boolean,
    score_state text,
    in_bed_ms bigint,
    awake_ms bigint,
    light_ms bigint,
    deep_ms bigint,
    rem_ms bigint,
    no_data_ms bigint,
    cycle_count integer,
    disturbance_count integer,
    respiratory_rate double precision,
    performance_percent double precision,
    consistency_percent double precision,
    efficiency_percent double precision,
    need_baseline_ms bigint,
    need_debt_ms bigint,
    need_strain_ms bigint,
    need_nap_ms bigint,
    stages jsonb,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    CHECK (deleted_at IS NOT NULL OR (start_at IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON health.sleeps (user_id, changed_xid);
CREATE INDEX ON health.sleeps (user_id, start_at DESC NULLS LAST, id DESC);

CREATE TABLE health.workouts (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    sport_name text,
    sport_id integer,
    start_at timestamptz,
    end_at timestamptz,
    zone_offset text,
    score_state text,
    strain double precision,
    avg_heart_rate double precision,
    max_heart_rate double precision,
    kilojoules double precision,
    percent_recorded double precision,
    distance_m double precision,
    altitude_gain_m double precision,
    altitude_change_m double precision,
    zone_ms integer[],
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(sport_name, '')), 'A')
    ) STORED,
    CHECK (deleted_at IS NOT NULL OR (start_at IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON health.workouts (user_id, changed_xid);
CREATE INDEX ON health.workouts (user_id, start_at DESC NULLS LAST, id DESC);
CREATE INDEX ON health.workouts USING gin (tsv);

CREATE TABLE health.recoveries (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    cycle_source_id text,
    sleep_source_id uuid,
    score_state text,
    recovery_score double precision,
    resting_heart_rate double precision,
    hrv_rmssd_ms double precision,
    spo2_percent double precision,
    skin_temp_celsius double precision,
    is_calibrating boolean,
    measured_at timestamptz,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON health.recoveries (user_id, changed_xid);
CREATE INDEX ON health.recoveries (user_id, measured_at DESC NULLS LAST, id DESC);
CREATE INDEX ON health.recoveries (sleep_source_id, measured_at DESC NULLS LAST, id DESC);

CREATE TABLE health.cycles (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    start_at timestamptz,
    end_at timestamptz,
    zone_offset text,
    score_state text,
    strain double precision,
    kilojoules double precision,
    avg_heart_rate double precision,
    max_heart_rate double precision,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON health.cycles (user_id, changed_xid);
CREATE INDEX ON health.cycles (user_id, start_at DESC NULLS LAST, id DESC);

CREATE TABLE health.devices (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    provider text,
    device_model text,
    app_bundle text,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(device_model, '')), 'A')
    ) STORED,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON health.devices (user_id, changed_xid);
CREATE INDEX ON health.devices USING gin (tsv);

CREATE TABLE home.entities (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    entity_id text,
    "domain" text,
    "name" text,
    area_id uuid,
    device_id uuid,
    device_class text,
    unit text,
    state text,
    state_num double precision,
    attributes jsonb,
    last_changed timestamptz,
    last_updated timestamptz,
    is_available boolean,
    supported_features integer,
    is_hidden boolean,
    is_disabled boolean,
    category text,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce(entity_id, '')), 'B')
        || setweight(to_tsvector('simple', coalesce("name", '')), 'A')
    ) STORED,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON home.entities (user_id, changed_xid);
CREATE INDEX ON home.entities (user_id, last_changed DESC NULLS LAST, id DESC);
CREATE INDEX ON home.entities (area_id, last_changed DESC NULLS LAST, id DESC);
CREATE INDEX ON home.entities (device_id, last_changed DESC NULLS LAST, id DESC);
CREATE INDEX ON home.entities USING gin (tsv);

CREATE TABLE home.history (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    entity_id uuid,
    state text,
    state_num double precision,
    changed_at timestamptz,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    CHECK (deleted_at IS NOT NULL OR (changed_at IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON home.history (user_id, changed_xid);
CREATE INDEX ON home.history (user_id, changed_at DESC NULLS LAST, id DESC);
CREATE INDEX ON home.history (entity_id, changed_at DESC NULLS LAST, id DESC);

CREATE TABLE home.areas (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    "name" text,
    floor text,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce("name", '')), 'A')
    ) STORED,
    CHECK (deleted_at IS NOT NULL OR ("name" IS NOT NULL)),
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON home.areas (user_id, changed_xid);
CREATE INDEX ON home.areas (user_id, "name", id);
CREATE INDEX ON home.areas USING gin (tsv);

CREATE TABLE home.devices (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users,
    connection_id uuid NOT NULL REFERENCES connections,
    source_id text NOT NULL,
    "name" text,
    manufacturer text,
    model text,
    sw_version text,
    area_id uuid,
    raw jsonb,
    extra jsonb,
    source_updated_at timestamptz,
    synced_at timestamptz NOT NULL DEFAULT now(),
    changed_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    deleted_at timestamptz,
    tsv tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple', coalesce("name", '')), 'A')
    ) STORED,
    UNIQUE (connection_id, source_id)
);
CREATE INDEX ON home.devices (user_id, changed_xid);
CREATE INDEX ON home.devices (user_id, "name", id);
CREATE INDEX ON home.devices (area_id, "name" DESC NULLS LAST, id DESC);
CREATE INDEX ON home.devices USING gin (tsv);

-- Messages that share a thread_id. The id is made of the connection and the thread, so that it is stable.
CREATE VIEW mail.threads AS
SELECT
    md5(connection_id::text || '/' || thread_id)::uuid AS id,
    user_id,
    connection_id,
    thread_id AS source_id,
    thread_id,
    (array_agg(subject ORDER BY received_at DESC NULLS LAST))[1] AS subject,
    min(received_at) AS first_at,
    max(received_at) AS last_at,
    count(*) AS "count",
    count(*) FILTER (WHERE is_read IS FALSE) AS unread,
    array_agg(DISTINCT from_email) FILTER (WHERE from_email IS NOT NULL) AS participants,
    NULL::jsonb AS raw,
    NULL::jsonb AS extra,
    NULL::timestamptz AS source_updated_at,
    max(synced_at) AS synced_at,
    max(changed_xid::text::numeric)::text::xid8 AS changed_xid,
    NULL::timestamptz AS deleted_at
FROM mail.messages
WHERE deleted_at IS NULL AND thread_id IS NOT NULL
GROUP BY user_id, connection_id, thread_id;
