import { setTimeout as sleep } from "node:timers/promises";
import { unpacked } from "../../src/core/calls/packed-output.ts";
import type { Book, Entry } from "./book.ts";
import type { ChaosPlatform } from "./platform.ts";

/** One claim about the run, and what speaks against it. */
export type Check = { readonly name: string; readonly faults: readonly string[] };

/** How long after the chaos the last call may still be open: far longer than any of them takes to be run again. */
const FINAL_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 250;
const SHOWN_FAULTS = 10;

type Row = {
  readonly id: string;
  readonly state: string;
  readonly error_code: string | null;
  readonly output: string | null;
  readonly output_lz4: Uint8Array | null;
  readonly large: boolean;
  readonly charges: number;
  readonly refunds: number;
};

/** Waits until no call is open. Gives the calls that are still open when the time is over. */
export async function untilAllFinal({ sql }: ChaosPlatform): Promise<Check> {
  const name = `every call is final within ${FINAL_WITHIN_MS / 1000} s after the chaos`;
  for (const until = performance.now() + FINAL_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    const open = await sql<{ what: string }>(
      `select format('%s %s %s attempt %s, deadline in %s', id, slug, state, attempt, deadline_at - clock_now()) as what
         from calls where ended_at is null`,
    );
    if (open.length === 0) return { name, faults: [] };
    if (performance.now() > until) return { name, faults: open.map(({ what }) => what) };
  }
}

/** Holds what the clients were told against what the database says. */
export async function checkBook(platform: ChaosPlatform, book: Book): Promise<Check[]> {
  const acknowledged = book.entries.filter(({ callId }) => callId !== null);
  const rows = await platform.sql<Row>(
    `select c.id, c.state, c.error_code, o.output, o.output_lz4, o.output_ref is not null as large,
            (select count(*)::integer from ledger l where l.call_id = c.id and kind = 'charge') as charges,
            (select count(*)::integer from ledger l where l.call_id = c.id and kind = 'refund') as refunds
       from calls c left join call_outputs o on o.call_id = c.id`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [
    { name: "what each client was told fits together", faults: book.faults },
    {
      name: "every acknowledged call is there, final, and as its client was told",
      faults: acknowledged.flatMap((entry) => compare(entry, byId.get(entry.callId ?? ""))),
    },
  ];
}

function textOf({ output, output_lz4 }: Row): string | null {
  const json = output_lz4 === null ? output : unpacked(output_lz4);
  return json === null ? null : (JSON.parse(json) as { text: string }).text;
}

function compare({ callId, shown, intent }: Entry, row: Row | undefined): string[] {
  const called = `${callId} (${intent.slug} ${intent.body.mode})`;
  if (row === undefined) return [`${called} is not there`];
  if (["queued", "running", "waiting"].includes(row.state)) return [`${called} is ${row.state}`];
  const faults: string[] = [];
  if (row.charges !== 1) faults.push(`${called} has ${row.charges} charges`);
  if (row.refunds !== (row.state === "succeeded" ? 0 : 1))
    faults.push(`${called} ${row.state}, ${row.refunds} refunds`);
  if (shown === null) return faults;
  if (
    shown.outcome !== row.state ||
    shown.error !== row.error_code ||
    (!row.large && shown.text !== textOf(row))
  ) {
    faults.push(
      `${called} was shown as ${shown.outcome} ${shown.error} and is ${row.state} ${row.error_code}`,
    );
  }
  return faults;
}

/** What the database alone can tell: nothing was made twice, and the money adds up. */
export async function checkDatabase({ sql }: ChaosPlatform, spendLimit: number): Promise<Check[]> {
  const faultsOf = async (text: string, params: readonly unknown[] = []): Promise<string[]> =>
    (await sql<{ what: string }>(text, params)).map(({ what }) => what);
  return [
    {
      name: "no Idempotency-Key was charged twice",
      faults: await faultsOf(
        `select format('%s: %s calls', idempotency_key, count(*)) as what from calls
          where idempotency_key is not null group by account_id, idempotency_key having count(*) > 1`,
      ),
    },
    {
      name: "nothing that was asked for once was charged twice",
      faults: await faultsOf(
        `select format('%s: %s calls', string_agg(id, ' '), count(*)) as what from calls
          group by account_id, slug, input_sha256 having count(*) > 1`,
      ),
    },
    {
      name: "every node of a run left behind what it does once",
      faults: await faultsOf(
        `select format('%s: %s times', content, count(*)) as what from memories group by content having count(*) > 1
         union all
         select format('%s of %s left nothing', n.name, n.run_id) from run_nodes n
          where n.state = 'succeeded' and not exists (select from memories m where m.call_id = n.call_id)`,
      ),
    },
    {
      name: "every run began again where it was, and used all that came for it",
      faults: await faultsOf(
        `select format('%s of %s is %s', n.name, n.run_id, n.state) as what from run_nodes n
           join calls c on c.id = n.run_id
          where c.state = 'succeeded' and n.state <> 'succeeded'
         union all
         select format('%s has mail of %s', run_id, call_id) from run_mail`,
      ),
    },
    {
      name: "each account paid for what succeeded, and for nothing else",
      faults: await faultsOf(
        `select format('%s holds %s instead of %s', account_id, amount, granted - paid) as what
           from balances
           join (select account_id, currency, sum(delta) as granted from ledger where kind = 'grant' group by 1, 2) g
             using (account_id, currency)
           left join (select account_id, currency, sum(price) as paid from calls where state = 'succeeded' group by 1, 2) c
             using (account_id, currency)
          where amount <> granted - coalesce(paid, 0)`,
      ),
    },
    {
      name: "no key spent more than its limit",
      faults: await faultsOf(
        `select format('%s spent %s', key_id, sum(price)) as what from calls
          where spend_window is not null and state = 'succeeded' group by key_id having sum(price) > $1`,
        [spendLimit],
      ),
    },
  ];
}

type Purse = { readonly coins: number; readonly changes: number };

/** Holds what state tools changed against the calls that succeeded; what each was told to do, its text tells. */
export async function checkDocuments({ sql }: ChaosPlatform, book: Book): Promise<Check> {
  const intents = new Map(book.entries.map(({ intent }) => [intent.body.text, intent.body]));
  const calls = await sql<{ id: string; output: string | null; output_lz4: Uint8Array | null }>(
    `select c.id, o.output, o.output_lz4 from calls c join call_outputs o on o.call_id = c.id
      where c.slug = 'test-state' and c.state = 'succeeded'`,
  );
  const due = new Map<string, Purse>();
  const change = (purse: string, coins: number): void => {
    const before = due.get(purse) ?? { coins: 0, changes: 0 };
    due.set(purse, { coins: before.coins + coins, changes: before.changes + 1 });
  };
  const faults: string[] = calls.length === 0 ? ["no state tool was called"] : [];
  const seen = new Map<string, string>();
  for (const { id, output, output_lz4 } of calls) {
    const json = output_lz4 === null ? (output ?? "") : unpacked(output_lz4);
    const { text, changes } = JSON.parse(json) as Purse & { readonly text: string };
    const { mode, purse = "", to = "" } = intents.get(text) ?? { mode: "unknown" };
    if (mode !== "add" && mode !== "move") faults.push(`${id} (${mode}) succeeded`);
    change(purse, mode === "move" ? -1 : 1);
    if (mode === "move") change(to, 1);
    // What a call gives is what it made of its document, which no other call can have made of it.
    const made = `change ${changes} of ${purse}`;
    if (seen.has(made)) faults.push(`${id} and ${seen.get(made)} both made ${made}`);
    seen.set(made, id);
  }
  const documents = await sql<{ key: string; version: number; body: string }>(
    "select key, version::integer, body from documents where kind = 'test-purse'",
  );
  for (const { key, version, body } of documents) {
    const { coins, changes } = JSON.parse(body) as Purse;
    const { coins: dueCoins, changes: dueChanges } = due.get(key) ?? { coins: 0, changes: 0 };
    if (coins !== dueCoins || changes !== dueChanges || version !== dueChanges)
      faults.push(
        `${key}: ${coins} coins, change ${changes}, version ${version}; due ${dueCoins}, ${dueChanges}`,
      );
  }
  if (documents.length < due.size)
    faults.push(`${due.size} documents are due, and ${documents.length} are there`);
  return {
    name: "each call of a state tool that succeeded changed its documents once, and no other did",
    faults,
  };
}

/** The operator's own audit. */
export async function checkAudit(platform: ChaosPlatform): Promise<Check> {
  const { code, stdout } = await platform.command("audit", "--json");
  const { checks } = JSON.parse(stdout) as { checks: { id: string; name: string; violations: number }[] };
  const faults = checks
    .filter(({ violations }) => violations > 0)
    .map(({ id, name, violations }) => `${id} ${name}: ${violations}`);
  if (code !== 0 && faults.length === 0) faults.push(`exit code ${code}`);
  return { name: `the audit finds 0 violations of ${checks.length} invariants`, faults };
}

/** Prints a check in a line, with the first of its faults. */
export function printCheck({ name, faults }: Check): void {
  console.log(`  ${faults.length === 0 ? "ok  " : "FAIL"} ${name}`);
  for (const fault of faults.slice(0, SHOWN_FAULTS)) console.log(`         ${fault}`);
  if (faults.length > SHOWN_FAULTS) console.log(`         and ${faults.length - SHOWN_FAULTS} more`);
}
