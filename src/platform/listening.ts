import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "./config.ts";
import { freePort } from "./free-port.ts";

/** How often a port that is to become free is tried. */
const LOOK_EVERY_MS = 100;

/** Where something listens, and the settings that say so. */
export type Place = {
  readonly port: number;
  readonly host: string;
  readonly portSetting: string;
  readonly hostSetting: string;
};

/** Where the three surfaces listen: the marketplace, the tool API, operations. Throws where two have one port. */
export function placesOf({ port, toolApiPort, opsPort, host, opsHost }: Config): [Place, Place, Place] {
  const places: [Place, Place, Place] = [
    { port, host, portSetting: "PORT", hostSetting: "HOST" },
    { port: toolApiPort, host, portSetting: "TOOL_API_PORT", hostSetting: "HOST" },
    { port: opsPort, host: opsHost, portSetting: "OPS_PORT", hostSetting: "OPS_HOST" },
  ];
  for (const place of places) {
    const first = places.find((other) => other.port === place.port) as Place;
    if (first === place || place.port === 0) continue;
    throw new Error(
      `${first.portSetting} and ${place.portSetting} are both ${place.port}. Give each a port of its own.`,
    );
  }
  return places;
}

/** Why something cannot listen there, in words that say what to do. */
export function listeningFault({ port, host, portSetting, hostSetting }: Place, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new Error(
        `${portSetting}: port ${port} on ${host} is in use. Stop the program that listens there, or set ${portSetting} to another port.`,
        { cause: error },
      );
    case "EACCES":
      return new Error(
        `${portSetting}: this user may not listen on port ${port}. Set ${portSetting} to a port from 1024 on.`,
        { cause: error },
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Error(`${hostSetting}: ${host} is no address of this machine. Set ${hostSetting} to one, such as 127.0.0.1, or to 0.0.0.0 for all.`, { cause: error }); // prettier-ignore
    default:
      return error;
  }
}

/** Throws where something could not listen at one of these places now, or within a time that it is given to become free. */
export async function checkPlaces(
  places: readonly Place[],
  { waitMs, stopping }: { readonly waitMs: number; readonly stopping: AbortSignal },
): Promise<void> {
  const giveUpAt = performance.now() + waitMs;
  for (const place of places) {
    if (place.port === 0) continue;
    while (!(await isFree(place, performance.now() >= giveUpAt)))
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping });
  }
}

/** Whether a place is free; throws where it is not and nobody waits for it. */
async function isFree(place: Place, isLast: boolean): Promise<boolean> {
  try {
    await freePort(place.port, { host: place.host, orAny: false });
    return true;
  } catch (error) {
    if (isLast || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw listeningFault(place, error);
    return false;
  }
}
