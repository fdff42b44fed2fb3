INSERT INTO finance.transactions (
    id, user_id, connection_id, source_id, status, amount, currency, booked_on, description, merchant_name, category
)
SELECT
    ('d0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, c.user_id, c.id, 'transaction ' || n, 'posted',
    (n::bigint * 7919 % 20000 - 15000)::numeric / 100, 'EUR', date '2024-01-01' + (n::bigint * 7919 % 1095)::integer,
    'Card payment at shop ' || n % 997, 'Shop ' || n % 997, 'category ' || n % 12
FROM generate_series({first}, {last}) AS n, public.connections AS c
WHERE c.id = '{finance}';

INSERT INTO mail.messages (
    id, user_id, connection_id, source_id, subject, from_name, from_email, received_at, preview, body_text
)
SELECT
    ('e0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, c.user_id, c.id, 'mail ' || n,
    'About the ' || w.word || ', number ' || n, 'Person ' || n % 501, 'person' || n % 501 || '@mail.example',
    timestamptz '2024-01-01T00:00:00Z' + (n::bigint * 7919 % 1576800) * interval '1 minute',
    'Hello, this is about the ' || w.word, 'Hello, this is about the ' || w.word || ' that we spoke of: number ' || n
FROM generate_series({first}, {last}) AS n
CROSS JOIN public.connections AS c
CROSS JOIN LATERAL (
    SELECT (ARRAY['invoice', 'meeting', 'holiday', 'dentist', 'garden', 'concert', 'train', 'recipe', 'library'])
        [1 + n * 31::bigint % 9] AS word
) AS w
WHERE c.id = '{mail}';
