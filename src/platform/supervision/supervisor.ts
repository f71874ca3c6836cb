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
  /** Called with all living children whenever one begins or ends. */
  readonly onChange: (processes: readonly RunningProcess[]) => void;
  readonly log: (line: string) => void;
};

export type Supervisor = {
  /** What the child of this name told when it was last ready. */
  info(name: string): Readonly<Record<string, unknown>>;
  /** Ends all children, at the latest after `drainMs`. */
  stop(): Promise<void>;
};

/**
 * Starts the children and keeps them running until `stop`. Fulfilled when all are ready. When one cannot start,
 * the others are stopped and this throws with what it last wrote to stderr.
 */
export async function supervise(options: SupervisorOptions): Promise<Supervisor> {
  const { entry, drainMs, onChange, log } = options;
  const children: Child[] = options.children.map(
    (spec) => new Child({ spec, entry, log, onChange: () => onChange(running(children)) }),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(children.map((child) => child.stop(drainMs)));
  };
  try {
    await Promise.all(children.map((child) => child.start()));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    info: (name) => children.find(({ spec }) => spec.name === name)?.info ?? {},
    stop,
  };
}

function running(children: readonly Child[]): RunningProcess[] {
  return children.flatMap(({ spec: { name, pools }, pid }) => (pid === null ? [] : [{ name, pools, pid }]));
}
