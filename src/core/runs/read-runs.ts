import { unpacked } from "../calls/packed-output.ts";
import type { Db } from "../db.ts";
import type { RunNode } from "./graph.ts";
import type { NodeState, RunFailure } from "./run-rules.ts";

/** An output of a call, wherever it lies: as it is, or in the artifact store. */
export type StoredOutput = { readonly output: string | null; readonly outputRef: string | null };

/** What came for a run. */
export type RunMail = {
  readonly callId: string;
  readonly kind: "ended" | "cancel" | "deadline";
  /** How the call ended. */
  readonly state: string;
  readonly failure: RunFailure | null;
  readonly output: StoredOutput;
};

/** A run as it is stored, with its mail: all of one moment. */
export type StoredRun = {
  readonly id: string;
  readonly accountId: string;
  readonly slug: string;
  /** The run that this one is a node of. */
  readonly parentId: string | null;
  /** Where its call stands in a trace. */
  readonly traceparent: string | null;
  readonly rules: number;
  readonly depth: number;
  readonly document: unknown;
  readonly version: number;
  readonly hasEnded: boolean;
  readonly events: number;
  readonly input: unknown;
  readonly now: Date;
  readonly nodes: readonly RunNode[];
  readonly mail: readonly RunMail[];
};

type NodeRow = {
  name: string;
  slug: string;
  needs: string[];
  input: string;
  on_failure: "end" | "skip";
  state: NodeState;
  call_id: string | null;
  error_code: string | null;
  error_message: string | null;
};
type OutputRow = { output: string | null; output_lz4: string | null; output_ref: string | null };
type MailRow = OutputRow & {
  call_id: string;
  kind: RunMail["kind"];
  state: string;
  error_code: string | null;
  error_message: string | null;
};
type Row = {
  id: string;
  account_id: string;
  slug: string;
  parent_id: string | null;
  trace_context: string | null;
  rules: number;
  depth: number;
  document: string | null;
  version: number;
  has_ended: boolean;
  events: number;
  input: string | null;
  now: Date;
  nodes: NodeRow[] | null;
  mail: MailRow[] | null;
};

const OUTPUT = "o.output, encode(o.output_lz4, 'base64') as output_lz4, o.output_ref";

/** Reads these runs, with their nodes and mail, in one statement and so of one moment. */
export async function readRuns(db: Pick<Db, "query">, ids: readonly string[]): Promise<StoredRun[]> {
  const rows = await db.query<Row>(
    `select r.id, r.account_id, c.slug, c.parent_id, c.trace_context, r.rules, r.depth, r.document, r.version,
            r.ended_at is not null as has_ended, c.events, c.input, clock_now() as now,
            (select json_agg(n order by n.nth) from (
               select x.name, x.nth, x.slug, x.needs, x.input, x.on_failure, x.state, x.call_id, x.error_code, x.error_message
                 from run_nodes x where x.run_id = r.id) n) as nodes,
            (select json_agg(m order by m.call_id) from (
               select x.call_id, x.kind, k.state, k.error_code, k.error_message, ${OUTPUT}
                 from run_mail x
                cross join lateral (select y.id, y.state, y.error_code, y.error_message from calls y
                                     where y.id = x.call_id limit 1) k
                 left join lateral (select y.output, y.output_lz4, y.output_ref from call_outputs y
                                     where y.call_id = x.call_id limit 1) o on true
                where x.run_id = r.id) m) as mail
       from unnest($1::text[]) w(id)
      cross join lateral (select x.* from runs x where x.id = w.id limit 1) r
      cross join lateral (select x.slug, x.parent_id, x.trace_context, x.events, x.input from calls x where x.id = w.id limit 1) c`,
    [ids],
  );
  return rows.map(toRun);
}

/** The outputs of these calls, by call; those without one are left out. */
export async function readOutputs(
  db: Pick<Db, "query">,
  callIds: readonly string[],
): Promise<ReadonlyMap<string, StoredOutput>> {
  const rows = await db.query<OutputRow & { call_id: string }>(
    `select o.call_id, ${OUTPUT} from unnest($1::text[]) w(id)
      cross join lateral (select x.* from call_outputs x where x.call_id = w.id limit 1) o`,
    [callIds],
  );
  return new Map(rows.map((row) => [row.call_id, toOutput(row)]));
}

const toRun = (row: Row): StoredRun => ({
  id: row.id,
  accountId: row.account_id,
  slug: row.slug,
  parentId: row.parent_id,
  traceparent: row.trace_context,
  rules: row.rules,
  depth: row.depth,
  document: row.document === null ? null : (JSON.parse(row.document) as unknown),
  version: row.version,
  hasEnded: row.has_ended,
  events: row.events,
  input: row.input === null ? null : (JSON.parse(row.input) as unknown),
  now: row.now,
  nodes: (row.nodes ?? []).map(toNode),
  mail: (row.mail ?? []).map(toMail),
});

const toNode = (row: NodeRow): RunNode => ({
  name: row.name,
  slug: row.slug,
  needs: row.needs,
  input: JSON.parse(row.input) as Record<string, unknown>,
  onFailure: row.on_failure,
  state: row.state,
  callId: row.call_id,
  error: toFailure(row),
});

const toMail = (row: MailRow): RunMail => ({
  callId: row.call_id,
  kind: row.kind,
  state: row.state,
  failure: toFailure(row),
  output: toOutput(row),
});

const toOutput = ({ output, output_lz4, output_ref }: OutputRow): StoredOutput => ({
  output: output_lz4 === null ? output : unpacked(Buffer.from(output_lz4, "base64")),
  outputRef: output_ref,
});

const toFailure = (row: { error_code: string | null; error_message: string | null }): RunFailure | null =>
  row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? "" };
