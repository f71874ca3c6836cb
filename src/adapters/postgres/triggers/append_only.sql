-- What is written once and for good.

create or replace trigger ledger_append_only before update or delete on ledger for each row execute function refuse_change();
create or replace trigger ledger_no_truncate before truncate on ledger for each statement execute function refuse_change();
create or replace trigger balances_no_delete before delete on balances for each row execute function refuse_change();
create or replace trigger balances_no_truncate before truncate on balances for each statement execute function refuse_change();

create or replace trigger events_append_only before update on events for each row execute function refuse_change();
create or replace trigger events_are_kept before delete on events for each row execute function refuse_early_delete('stream_id');
create or replace trigger events_no_truncate before truncate on events for each statement execute function refuse_change();
create or replace trigger outputs_append_only before update on call_outputs for each row execute function refuse_change();
create or replace trigger outputs_are_kept before delete on call_outputs
  for each row execute function refuse_early_delete('call_id');
create or replace trigger outputs_no_truncate before truncate on call_outputs
  for each statement execute function refuse_change();
create or replace trigger calls_no_delete before delete on calls for each row execute function refuse_change();
create or replace trigger calls_no_truncate before truncate on calls for each statement execute function refuse_change();
