CREATE TABLE IF NOT EXISTS public.schema_migrations (
    version integer PRIMARY KEY,
    name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    sha256 bytea NOT NULL
)
