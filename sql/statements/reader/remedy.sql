CREATE ROLE sextant_reader NOLOGIN; GRANT sextant_reader TO "{user}";
