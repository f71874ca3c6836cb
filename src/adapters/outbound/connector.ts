import { isIP } from "node:net";
import { buildConnector } from "undici";
import { RefusedAddress } from "./look-up.ts";

/**
 * Connects to allowed addresses only, over HTTP/1.1. An IP literal is checked before it is connected to, for it is
 * never looked up; a name is checked by the `lookup` of the options, so that the address that was checked is the
 * address that is used; and the connected socket is asked once more.
 */
export function guardedConnector(
  allowed: (address: string) => boolean,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && !allowed(host)) {
      callback(new RefusedAddress(), null);
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) callback(error, null);
      else if (allowed(socket.remoteAddress ?? "")) callback(null, socket);
      else {
        socket.destroy();
        callback(new RefusedAddress(), null);
      }
    });
  };
}
