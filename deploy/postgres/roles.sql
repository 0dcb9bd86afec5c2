-- Roles and databases, once per PostgreSQL server and again at any time; by psql, as a superuser:
--   psql -v ON_ERROR_STOP=1 -f roles.sql
-- Passwords are set apart (passwords.sql, which `waraq secrets` writes), tables are made by
-- `waraq db upgrade` and `waraq standings prepare`, rights on them given by log.sql and standings.sql.
--
--   role            is                                     may
--   waraq_migrator  who upgrades, and no worker            own the log; nothing else
--   waraq_table     table workers                          append to the log; change and delete no event
--   waraq_scoring   scoring workers                        read the log; own the standings
--   waraq_web       web workers                            own the profiles; read the standings, write tickets
--   waraq_reader    audit, replay, export, heads           read the log, packs included, and the standings
--   waraq_analyst   analysts                               read public events and the standings
--
-- Each database is its owner's, so that no owner of one can touch another: the log must hold even if
-- the web worker falls. They may as well lie on three servers.

select format('create role %I login', name)
from unnest(array['waraq_migrator', 'waraq_table', 'waraq_scoring', 'waraq_web', 'waraq_reader',
                  'waraq_analyst']) as name
where not exists (select from pg_roles where rolname = name)
\gexec

-- Whatever they were before. Workers set their own limits of time; what reads on the side is held
-- to reading, and a forgotten query of it ends.
alter role waraq_migrator nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role waraq_table    nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role waraq_scoring  nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role waraq_web      nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role waraq_reader   nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
alter role waraq_analyst  nosuperuser nocreatedb nocreaterole noreplication nobypassrls connection limit 8;
alter role waraq_reader   set default_transaction_read_only = on;
alter role waraq_analyst  set default_transaction_read_only = on;
alter role waraq_analyst  set statement_timeout = '5min';

select format('create database %I owner %I encoding ''UTF8'' template template0', name, owner)
from (values ('waraq_log', 'waraq_migrator'), ('waraq_standings', 'waraq_scoring'),
             ('waraq_profiles', 'waraq_web')) as wanted (name, owner)
where not exists (select from pg_database where datname = name)
\gexec

-- Names of players are nobody's but the web worker's. The other two: log.sql, standings.sql.
revoke connect, temporary on database waraq_profiles from public;
