import type { RunningProcess } from "../embedded/run-file.ts";
import type { ChildSpec } from "./child.ts";
import { Child } from "./child.ts";

export type { ChildSpec } from "./child.ts";

export type SupervisorOptions = {
  readonly children: readonly ChildSpec[];
  /** The file that each child runs, with the arguments of its own. */
  readonly entry: string;
  /** How long the children may take to end when they are stopped. */
  readonly drainMs: number;
  /** Aborted to break off the start. */
  readonly stopping?: AbortSignal;
  /** Aborted when nobody waits for the children any more: they are killed. */
  readonly hurry?: AbortSignal;
  /** Called with all living children whenever one begins or ends. */
  readonly onChange: (processes: readonly RunningProcess[]) => void;
  readonly log: (line: string) => void;
};

export type Supervisor = {
  /** What the child of this name told when it was last ready. */
  info(name: string): Readonly<Record<string, unknown>>;
  /** Ends all children, at the latest after `drainMs`, and then those that stop last, within `LAST_DRAIN_MS`. */
  stop(): Promise<void>;
};

/** How long those that stop last may take: nobody asks anything of them any more. */
const LAST_DRAIN_MS = 5_000;

/**
 * Starts the children and keeps them running until `stop`. Fulfilled when all are ready. When one cannot start,
 * the others are stopped and this throws with what it last wrote to stderr.
 */
export async function supervise(options: SupervisorOptions): Promise<Supervisor> {
  const { entry, drainMs, stopping, hurry, onChange, log } = options;
  const children: Child[] = options.children.map(
    (spec) => new Child({ spec, entry, log, onChange: () => onChange(running(children)) }),
  );
  const stop = async (): Promise<void> => {
    const [last, first] = partition(children, ({ spec }) => spec.stopsLast === true);
    await Promise.all(first.map((child) => child.stop(drainMs, hurry)));
    await Promise.all(last.map((child) => child.stop(LAST_DRAIN_MS, hurry)));
  };
  const breakOff = (): void => void stop();
  stopping?.addEventListener("abort", breakOff, { once: true });
  try {
    stopping?.throwIfAborted();
    await Promise.all(children.map((child) => child.start()));
  } catch (error) {
    await stop();
    throw error;
  } finally {
    stopping?.removeEventListener("abort", breakOff);
  }
  return {
    info: (name) => children.find(({ spec }) => spec.name === name)?.info ?? {},
    stop,
  };
}

function partition<T>(items: readonly T[], holds: (item: T) => boolean): [T[], T[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}

function running(children: readonly Child[]): RunningProcess[] {
  return children.flatMap(({ spec: { name, pools }, pid }) => (pid === null ? [] : [{ name, pools, pid }]));
}
