import { createServer } from "node:net";

/** This port, or any other where it is taken; 0 wishes none. On one address, or by default on all. */
export function freePort(wished: number, host?: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.on("error", () =>
    wished === 0 ? reject(new Error("There is no free port.")) : resolve(freePort(0, host)),
  );
  probe.listen(wished, host, () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : wished));
  });
  return promise;
}
