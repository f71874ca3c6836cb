import { createServer } from "node:net";

export type FreePortOptions = {
  /** Default: all addresses. */
  readonly host?: string;
  /** Whether any other port will do where the wished one is taken. Default true. */
  readonly orAny?: boolean;
};

/** A port that nobody listens on: the wished one, 0 for none. Throws the system's error where there is none. */
export function freePort(wished: number, { host, orAny = true }: FreePortOptions = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.on("error", (error) => {
    if (wished === 0 || !orAny) reject(error);
    else resolve(freePort(0, host === undefined ? {} : { host }));
  });
  probe.listen(wished, host, () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : wished));
  });
  return promise;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings with ports in place of each 0, which stands for any: the addresses in answers name the port before
 * anything listens on it, and a process that is started again listens where it did.
 */
export async function withFreePorts(env: Environment): Promise<Environment> {
  const chosen: Record<string, string> = {};
  for (const setting of ["PORT", "TOOL_API_PORT", "OPS_PORT"])
    if (/^0+$/.test(env[setting] ?? "")) chosen[setting] = String(await freePort(0));
  return { ...env, ...chosen };
}
