create or replace trigger guard_call before update on calls for each row execute function guard_call();
drop trigger if exists call_is_charged on calls;
create constraint trigger call_is_charged after insert on calls
  deferrable initially deferred for each row execute function call_is_settled();
drop trigger if exists call_is_settled on calls;
create constraint trigger call_is_settled after update on calls
  deferrable initially deferred for each row
  when (new.ended_at is not null) execute function call_is_settled();
