create or replace trigger memories_come after insert on memories referencing new table as changed
  for each statement execute function memories_change_minds();
create or replace trigger memories_go after delete on memories referencing old table as changed
  for each statement execute function memories_change_minds();
