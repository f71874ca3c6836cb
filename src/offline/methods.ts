import { basename, join } from "node:path";
import { findRooms, has, importDefault } from "../core/catalog/rooms.ts";
import type { OfflineDrawing, OfflineMethod } from "../core/models/offline.ts";

/**
 * The method of a task: the default export of `offline.ts` in the room of that name, imported when it is first needed.
 * Undefined where no room has one.
 */
export const findMethod = (task: string, roots: readonly string[]): Promise<OfflineMethod | undefined> =>
  findIn(roots, "offline.ts", (room) => basename(room) === task);

/** How pictures are drawn: the default export of `offline-picture.ts` of the first room that has one. */
export const findDrawing = (roots: readonly string[]): Promise<OfflineDrawing | undefined> =>
  findIn(roots, "offline-picture.ts", () => true);

async function findIn<T>(
  roots: readonly string[],
  file: string,
  fits: (room: string) => boolean,
): Promise<T | undefined> {
  const rooms = await findRooms(roots);
  const room = rooms.find((candidate) => fits(candidate) && has(candidate, file));
  return room === undefined ? undefined : await importDefault<T>(join(room, file));
}
