import { connect, createServer, type Socket } from "node:net";

/** Something that stands before several servers, and passes each connection on to one that answers. */
export type Balancer = {
  readonly url: string;
  /** Cuts the connections that are open. */
  cut(): void;
  close(): Promise<void>;
};

/** Balances connections, byte by byte, over servers on these ports of this machine, in turn. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  let next = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket.on("error", () => socket.destroy()));
    return socket.once("close", () => sockets.delete(socket));
  };
  const passOn = (client: Socket, tries: number): void => {
    const port = ports[next++ % ports.length] ?? 0;
    const server = connect({ port, host: "127.0.0.1" });
    server.once("connect", () => {
      keep(server).pipe(client).pipe(server);
      server.once("close", () => client.destroy());
      client.once("close", () => server.destroy());
    });
    server.once("error", () => {
      if (tries > 1) passOn(client, tries - 1);
      else client.destroy();
    });
  };
  const balancer = createServer((client) => passOn(keep(client), ports.length));
  await new Promise<void>((resolve) => balancer.listen(0, "127.0.0.1", resolve));
  const { port } = balancer.address() as { port: number };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    close: async () => {
      const closed = new Promise((resolve) => balancer.close(resolve));
      cut();
      await closed;
    },
  };
}
