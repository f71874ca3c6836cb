import { patiently, withoutPatience } from "./patience.ts";

/**
 * Something that is read anew when it is older than `maxAgeMs`, and else given as it was read. Those who ask at the same
 * time share one reading. What reading throws reaches those who asked, and is forgotten.
 */
export function fresh<T>(maxAgeMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly value: T; readonly atMs: number } | undefined;
  let reading: Promise<T> | undefined;
  const readNow = async (): Promise<T> => {
    const value = await read();
    last = { value, atMs: performance.now() };
    return value;
  };
  return async () => {
    if (last !== undefined && performance.now() - last.atMs <= maxAgeMs) return last.value;
    reading ??= withoutPatience(readNow).finally(() => {
      reading = undefined;
    });
    return await patiently(reading);
  };
}
