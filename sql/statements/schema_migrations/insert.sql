INSERT INTO public.schema_migrations (version, name, sha256) VALUES ($1, $2, $3)
