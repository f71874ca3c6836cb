-- What is written once and for good.

create or replace trigger ledger_append_only before update or delete on ledger for each row execute function refuse_change();
create or replace trigger ledger_no_truncate before truncate on ledger for each statement execute function refuse_change();
create or replace trigger balances_no_delete before delete on balances for each row execute function refuse_change();
create or replace trigger balances_no_truncate before truncate on balances for each statement execute function refuse_change();

create or replace trigger call_events_append_only before update or delete on call_events
  for each row execute function refuse_change();
create or replace trigger call_events_no_truncate before truncate on call_events
  for each statement execute function refuse_change();
create or replace trigger calls_no_delete before delete on calls for each row execute function refuse_change();
create or replace trigger calls_no_truncate before truncate on calls for each statement execute function refuse_change();
