-- {records} records over the sectors, spread evenly over the connections of their tables, and sixty pushes of each connection.

-- The connections of a table, numbered; their labels begin with its name.
CREATE TEMPORARY TABLE sources AS
SELECT
    target, id, user_id, row_number() OVER (PARTITION BY target ORDER BY id) - 1 AS place, count(*) OVER (PARTITION BY target) AS number
FROM public.connections, split_part(label, ' ', 1) AS target;

CREATE TEMPORARY TABLE words AS
SELECT (ARRAY['invoice', 'meeting', 'holiday', 'dentist', 'garden', 'concert', 'train', 'recipe', 'library'])[1 + place] AS word, place
FROM generate_series(0, 8) AS place;

INSERT INTO finance.accounts (id, user_id, connection_id, source_id, name, institution_name, type, currency)
SELECT gen_random_uuid(), s.user_id, s.id, 'account ' || n, 'Account ' || n, 'Bank ' || s.place, 'depository', 'EUR'
FROM generate_series(1, 20) AS n
JOIN sources AS s ON s.target = 'finance.accounts' AND s.place = n % s.number;

INSERT INTO finance.transactions (
    id, user_id, connection_id, source_id, own_account_id, status, amount, currency, booked_on, description, merchant_name, category
)
SELECT
    gen_random_uuid(), s.user_id, s.id, 'transaction ' || n, a.id, 'posted', (n::bigint * 7919 % 20000 - 15000)::numeric / 100, 'EUR',
    current_date - (n::bigint * 7919 % 1095)::integer, 'Card payment for the ' || w.word, 'Shop ' || n % 997, 'category ' || n % 12
FROM generate_series(1, {records} * 15 / 100) AS n
JOIN sources AS s ON s.target = 'finance.transactions' AND s.place = n % s.number
JOIN words AS w ON w.place = n % 9
JOIN (SELECT id, row_number() OVER (ORDER BY source_id) - 1 AS place FROM finance.accounts) AS a ON a.place = n % 20;

-- Texts of some sixty words out of two thousand.
INSERT INTO mail.messages (
    id, user_id, connection_id, source_id, thread_id, subject, from_name, from_email, received_at, is_read, preview, body_text
)
SELECT
    gen_random_uuid(), s.user_id, s.id, 'mail ' || n, 'thread ' || n / 4, 'About the ' || w.word || ', number ' || n,
    'Person ' || n % 501, 'person' || n % 501 || '@mail.example',
    now() - (n::bigint * 7919 % 1576800) * interval '1 minute', n % 5 > 0, 'Hello, this is about the ' || w.word,
    'Hello, this is about the ' || w.word || '. ' || (
        SELECT string_agg('word' || (n::bigint * piece * 7919 + piece) % 2003, ' ') FROM generate_series(1, 60) AS piece
    )
FROM generate_series(1, {records} * 25 / 100) AS n
JOIN sources AS s ON s.target = 'mail.messages' AND s.place = n % s.number
JOIN words AS w ON w.place = n % 9;

INSERT INTO calendar.series (
    id, user_id, connection_id, source_id, uid, title, description, location, start_at, end_at, status, rrule
)
SELECT
    gen_random_uuid(), s.user_id, s.id, 'series ' || n, 'series ' || n, 'The ' || w.word || ' ' || n, 'All about the ' || w.word,
    'Room ' || n % 31, began, began + interval '1 hour', 'confirmed', ARRAY['FREQ=WEEKLY']
FROM generate_series(1, {records} * 5 / 1000) AS n
JOIN sources AS s ON s.target = 'calendar.series' AND s.place = n % s.number
JOIN words AS w ON w.place = n % 9
CROSS JOIN LATERAL (SELECT now() - (n % 1000) * interval '1 day' AS began) AS dated;

-- Twenty occurrences of each series, a week apart.
INSERT INTO calendar.events (
    id, user_id, connection_id, source_id, series_id, start_at, end_at, title, description, location, status, free_busy, is_recurring
)
SELECT
    gen_random_uuid(), series.user_id, series.connection_id, series.source_id || ' ' || week, series.id,
    series.start_at + week * interval '7 days', series.end_at + week * interval '7 days',
    series.title, series.description, series.location, 'confirmed', 'busy', true
FROM calendar.series AS series, generate_series(0, 19) AS week;

INSERT INTO contacts.people (id, user_id, connection_id, source_id, full_name, organization, notes, emails)
SELECT
    gen_random_uuid(), s.user_id, s.id, 'person ' || n, 'Person ' || n, 'Company ' || n % 307, 'Met at the ' || w.word,
    jsonb_build_array(jsonb_build_object('value', 'person' || n || '@mail.example'))
FROM generate_series(1, {records} * 3 / 100) AS n
JOIN sources AS s ON s.target = 'contacts.people' AND s.place = n % s.number
JOIN words AS w ON w.place = n % 9;

INSERT INTO health.samples (id, user_id, connection_id, source_id, metric, value, unit, start_at, zone_offset)
SELECT
    gen_random_uuid(), s.user_id, s.id, 'sample ' || n, CASE WHEN n % 3 = 0 THEN 'steps' ELSE 'heart_rate' END, 50 + n % 97,
    CASE WHEN n % 3 = 0 THEN 'count' ELSE 'bpm' END, now() - n * interval '1095 days' / ({records} * 4 / 10), '+00:00'
FROM generate_series(1, {records} * 4 / 10) AS n
JOIN sources AS s ON s.target = 'health.samples' AND s.place = n % s.number;

INSERT INTO health.workouts (id, user_id, connection_id, source_id, sport_name, start_at, end_at, zone_offset, distance_m)
SELECT
    gen_random_uuid(), s.user_id, s.id, 'workout ' || n, w.word || ' run', began, began + interval '40 minutes', '+00:00', n % 9000
FROM generate_series(1, {records} / 100) AS n
JOIN sources AS s ON s.target = 'health.workouts' AND s.place = n % s.number
JOIN words AS w ON w.place = n % 9
CROSS JOIN LATERAL (SELECT now() - (n % 1095) * interval '1 day' - n / 1095 * interval '1 hour' AS began) AS dated;

INSERT INTO home.entities (id, user_id, connection_id, source_id, entity_id, domain, name, state, last_changed)
SELECT
    gen_random_uuid(), s.user_id, s.id, 'entity ' || n, 'sensor.' || w.word || '_' || n, 'sensor', 'Sensor of the ' || w.word || ' ' || n,
    'on', now() - n * interval '1 minute'
FROM generate_series(1, {records} * 5 / 1000) AS n
JOIN sources AS s ON s.target = 'home.entities' AND s.place = n % s.number
JOIN words AS w ON w.place = n % 9;

INSERT INTO home.history (id, user_id, connection_id, source_id, entity_id, state, state_num, changed_at)
SELECT gen_random_uuid(), s.user_id, s.id, 'state ' || n, e.id, 'on', n % 100, now() - n * interval '10 minutes'
FROM generate_series(1, {records} * 5 / 100) AS n
JOIN sources AS s ON s.target = 'home.history' AND s.place = n % s.number
JOIN (SELECT id, row_number() OVER (ORDER BY source_id) - 1 AS place, count(*) OVER () AS number FROM home.entities) AS e
    ON e.place = n % e.number;

INSERT INTO public.pushes (user_id, connection_id, at, inserted, updated, unchanged, deleted, rejected, bytes)
SELECT user_id, id, now() - (60 - n) * interval '6 hours', 1000, 0, 0, 0, 0, 250000
FROM generate_series(1, 60) AS n, sources;

UPDATE public.connections SET last_success_at = now();
DROP TABLE sources, words;
