-- Who may do what in the log, after `waraq db upgrade` and again at any time; as its owner
-- (or by rights.sql, as a superuser):
--   psql -v ON_ERROR_STOP=1 -U waraq_migrator -d waraq_log -f log.sql
begin;
set local role waraq_migrator;
revoke connect, temporary on database waraq_log from public;
grant connect on database waraq_log to waraq_table, waraq_scoring, waraq_reader, waraq_analyst;
-- A pack's order is handed in through a temporary table, where no server logs it.
grant temporary on database waraq_log to waraq_table;
revoke all on schema public from public;
grant usage on schema public to waraq_table, waraq_scoring, waraq_reader, waraq_analyst;

-- What an earlier version gave is taken back first.
revoke all on all tables in schema public
    from public, waraq_table, waraq_scoring, waraq_web, waraq_reader, waraq_analyst;

-- The table worker. Events are added and read, never changed: triggers refuse it to everybody, and
-- this refuses the table worker to switch them off. No right at all on Alembic's own table.
grant select on log, partitions, events, open_matches to waraq_table;
grant insert on events, open_matches, dead_letters to waraq_table;
grant update (epoch, position, published, owner) on partitions to waraq_table;
grant delete on open_matches to waraq_table;

-- The scoring worker folds matches as the table does, so it reads whole events. It writes nothing here.
grant select on log, partitions, events, open_matches to waraq_scoring;

-- Audit, replay, exports and `waraq db check`. It sees every pack: an operator's, not an analyst's.
grant select on all tables in schema public to waraq_reader;

-- The public lines hold no hidden card.
grant select on log, partitions, public_events to waraq_analyst;
commit;
