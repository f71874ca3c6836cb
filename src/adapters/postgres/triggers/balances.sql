drop trigger if exists balance_is_tip on balances;
create constraint trigger balance_is_tip after insert or update on balances
  deferrable initially deferred for each row execute function balance_is_tip();
