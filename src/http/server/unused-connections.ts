import type { Server } from "node:http";
import type { Socket } from "node:net";

/** How soon a connection goes that was answered meanwhile and is kept alive for nothing. */
const LOOK_EVERY_MS = 50;

/**
 * Watches a server that does not listen yet. Called when the server begins to close, what it gives ends the connections
 * that nothing is asked over, until the function that it returns is called.
 *
 * Node takes a connection for busy that no request has come over yet, as clients open them in advance or for a request
 * that they then gave up, and a closing server would wait for it without end.
 */
export function watchUnusedConnections(server: Server): () => () => void {
  const silent = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));
  return () => {
    const timer = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of silent) socket.destroy();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  };
}
