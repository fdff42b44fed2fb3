INSERT INTO finance.transactions (
    id, user_id, connection_id, source_id, status, amount, currency, booked_on, description
)
SELECT
    ('d0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, c.user_id, c.id, 'transaction ' || n, 'posted',
    (n::bigint * 7919 % 20000 - 15000)::numeric / 100, 'EUR', date '2024-01-01' + (n::bigint * 7919 % 1095)::integer,
    'Card payment at shop ' || n % 997
FROM generate_series(1, 10000) AS n, public.connections AS c
WHERE c.id = '{finance}';

-- Texts of some kilobytes that hardly compress.
INSERT INTO mail.messages (id, user_id, connection_id, source_id, subject, received_at, body_text)
SELECT
    ('e0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, c.user_id, c.id, 'mail ' || n, 'Number ' || n,
    timestamptz '2024-01-01T00:00:00Z' + n * interval '1 hour',
    (SELECT string_agg(md5((n * 1000 + piece)::text), ' ') FROM generate_series(1, 150) AS piece)
FROM generate_series(1, 5000) AS n, public.connections AS c
WHERE c.id = '{mail}';

INSERT INTO mail.messages (id, user_id, connection_id, source_id, subject, received_at, body_text)
SELECT
    'a0000000-0000-4000-8000-000000000001', c.user_id, c.id, 'a long one', 'Long',
    timestamptz '2023-01-01T00:00:00Z', repeat('long ', 200000)
FROM public.connections AS c
WHERE c.id = '{mail}';
