UPDATE public.connections SET last_success_at = '2026-11-01T00:00:00Z';

INSERT INTO finance.accounts (id, user_id, connection_id, source_id, name, type, currency)
SELECT
    ('a0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, c.user_id, c.id, 'account ' || n,
    'Account ' || n, 'depository', 'EUR'
FROM generate_series(1, 50) AS n, public.connections AS c
WHERE c.id = '{finance}';

INSERT INTO finance.transactions (
    id, user_id, connection_id, source_id, own_account_id, status, amount, currency, booked_on, value_on, transacted_at,
    description, counterparty_name, merchant_name, category, reference, balance_after
)
SELECT
    ('d0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, c.user_id, c.id, 'transaction ' || n,
    ('a0000000-0000-4000-8000-' || lpad((1 + n % 50)::text, 12, '0'))::uuid, 'posted',
    (n::bigint * 7919 % 20000 - 15000)::numeric / 100, 'EUR', date '2026-10-31' - n / 270, date '2026-10-31' - n / 270,
    timestamptz '2026-10-31T12:00:00Z' - n * interval '5 minutes',
    'Card payment at shop ' || n % 997 || ', terminal ' || n % 89, 'Shop ' || n % 997 || ' GmbH', 'Shop ' || n % 997,
    'category ' || n % 12, 'R' || n, (n::bigint * 104729 % 500000)::numeric / 100
FROM generate_series(1, 200000) AS n, public.connections AS c
WHERE c.id = '{finance}';

INSERT INTO mail.messages (
    id, user_id, connection_id, source_id, message_id, thread_id, subject, from_name, from_email, sent_at, received_at,
    is_read, size, has_attachment, preview, body_text
)
SELECT
    ('e0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, c.user_id, c.id, 'mail ' || n, n || '@mail.example',
    't' || n / 4, 'About the ' || w.word || ', number ' || n, 'Person ' || n % 501, 'person' || n % 501 || '@mail.example',
    timestamptz '2026-10-31T12:00:00Z' - n * interval '9 minutes',
    timestamptz '2026-10-31T12:00:10Z' - n * interval '9 minutes', true, 2400, false,
    'Hello, this is about the ' || w.word || ' that we spoke of: it is number ' || n || ' of many.',
    'Hello, this is about the ' || w.word || ' that we spoke of: it is number ' || n || ' of many. '
    || repeat('The rest of it says little. ', 12) || 'Greetings from person ' || n % 501
FROM generate_series(1, 100000) AS n
CROSS JOIN public.connections AS c
CROSS JOIN LATERAL (
    SELECT (ARRAY['invoice', 'meeting', 'holiday', 'dentist', 'garden', 'concert', 'train', 'recipe', 'library'])
        [1 + n * 31 % 9] AS word
) AS w
WHERE c.id = '{mail}';
