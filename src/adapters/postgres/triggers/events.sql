create or replace trigger events_belong after insert on events referencing new table as added
  for each statement execute function events_belong();
