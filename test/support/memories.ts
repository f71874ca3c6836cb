import type { TestPlatform } from "./platform.ts";

export type StoredMemory = {
  readonly id: string;
  readonly character: string;
  readonly content: string;
  readonly recalls: number;
  readonly call_id: string | null;
};

/** All memories of an account as the database holds them, oldest first; `recalls` with those noted beside the row. */
export async function memoriesOf(platform: TestPlatform, accountId: string): Promise<StoredMemory[]> {
  return await platform.database.owner.query<StoredMemory>(
    `select m.id, m.character, m.content, m.call_id,
            m.recalls + (select count(*) from memory_recalls r where r.memory_id = m.id) as recalls
       from memories m where m.account_id = $1 order by m.created_at, m.id`,
    [accountId],
  );
}

/** Memories made past any call, `ageDays` old. */
export async function plant(
  platform: TestPlatform,
  accountId: string,
  memories: readonly {
    readonly content: string;
    readonly character?: string;
    readonly ageDays?: number;
    readonly recalls?: number;
  }[],
): Promise<string[]> {
  const rows = await platform.database.owner.query<{ id: string }>(
    `insert into memories (id, account_id, character, content, recalls, call_id, created_at)
     select 'mem_' || replace(gen_random_uuid()::text, '-', ''), $1, coalesce(p.character, ''), p.content,
            coalesce(p.recalls, 0), null,
            clock_timestamp() - coalesce(p.age_days, 0) * interval '1 day' + p.nth * interval '1 microsecond'
       from rows from (jsonb_to_recordset($2) as (content text, character text, "ageDays" float8, recalls integer))
              with ordinality p(content, character, age_days, recalls, nth)
     returning id`,
    [accountId, JSON.stringify(memories)],
  );
  return rows.map(({ id }) => id);
}
