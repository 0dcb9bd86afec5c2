-- Who may do what in the standings, after `waraq standings prepare` and again at any time; as its owner
-- (or by rights.sql, as a superuser):
--   psql -v ON_ERROR_STOP=1 -U waraq_scoring -d waraq_standings -f standings.sql
begin;
set local role waraq_scoring;
revoke connect, temporary on database waraq_standings from public;
grant connect on database waraq_standings to waraq_web, waraq_reader, waraq_analyst;
revoke all on schema public from public;
grant usage on schema public to waraq_web, waraq_reader, waraq_analyst;

revoke all on all tables in schema public from public, waraq_table, waraq_web, waraq_reader, waraq_analyst;
grant select on all tables in schema public to waraq_web, waraq_reader, waraq_analyst;
-- Tickets are given by the web worker, and forgotten when they are old.
revoke all on tickets, ticket_days from waraq_analyst;
grant insert, delete on tickets, ticket_days to waraq_web;
grant update (used) on ticket_days to waraq_web;

-- Scoring drops its projections and makes them anew; whoever could read them still can.
alter default privileges in schema public grant select on tables to waraq_web, waraq_reader, waraq_analyst;
commit;
