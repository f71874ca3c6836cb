create or replace trigger ledger_continues after insert on ledger referencing new table as added
  for each statement execute function ledger_continues();
