import { AppError } from "../errors.ts";
import type { MemoryPort } from "./memory.ts";

/** A memory that cannot be asked: every question is `unavailable`, for this reason. */
export function noMemory(reason: string): MemoryPort {
  const refuse = (): Promise<never> => Promise.reject(new AppError("unavailable", reason));
  return { find: refuse, relevant: refuse, unknown: refuse, room: refuse };
}
