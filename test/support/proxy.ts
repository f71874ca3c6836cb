import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between the platform and a server, and can do to their connections what networks and restarts do. */
export class Proxy {
  readonly port: number;
  /** Nothing passes any more, in either direction, and nothing is closed. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Closes all that is open. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;

  private constructor(parts: Pick<Proxy, "port" | "freeze" | "thaw" | "cut" | "close">) {
    this.port = parts.port;
    this.freeze = parts.freeze;
    this.thaw = parts.thaw;
    this.cut = parts.cut;
    this.close = parts.close;
  }

  static async before(target: URL): Promise<Proxy> {
    const address = { host: target.hostname, port: Number(target.port) };
    const open = new Set<Socket>();
    let frozen = false;
    const keep = (socket: Socket): void => {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => open.delete(socket));
      if (frozen) socket.pause();
    };
    const server = createServer((client) => {
      const upstream = connect(address);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        from.on("data", (chunk) => to.write(chunk));
        from.on("close", () => to.end());
        keep(from);
      }
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const cut = (): void => {
      for (const socket of open) socket.destroy();
    };
    return new Proxy({
      port: (server.address() as AddressInfo).port,
      freeze: () => {
        frozen = true;
        for (const socket of open) socket.pause();
      },
      thaw: () => {
        frozen = false;
        for (const socket of open) socket.resume();
      },
      cut,
      close: async () => {
        server.close();
        cut();
        await once(server, "close");
      },
    });
  }
}
