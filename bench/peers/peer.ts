/**
 * A job queue of others: a worker in a process of its own gives back the text that a caller hands in. Each is used as its
 * own documentation says for the most jobs a second.
 */
export type Peer = {
  /** Runs jobs in this process until it ends; resolves once it takes them. */
  work(url: string): Promise<void>;
  /** Connects this process as a caller. Each call queues one job, and resolves with what its worker gave. */
  connect(url: string): Promise<(text: string) => Promise<string>>;
};

/** Jobs at once in the worker process: as many as there are ever callers. */
export const SLOTS = 64;
/** How long a caller waits for a job before it counts as lost. */
export const CALL_LIMIT_MS = 10_000;
/** Of each process to PostgreSQL: as many as the platform's own processes take. */
export const CONNECTIONS = 8;
