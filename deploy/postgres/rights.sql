-- log.sql and standings.sql in one go, as a superuser: psql -v ON_ERROR_STOP=1 -f rights.sql
\connect waraq_log
\ir log.sql
\connect waraq_standings
\ir standings.sql
