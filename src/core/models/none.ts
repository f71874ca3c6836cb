import { AppError } from "../errors.ts";
import type { ModelPort } from "./models.ts";

/** A gateway to nothing: every question is `model_unavailable`, for this reason. */
export function noModels(reason: string): ModelPort {
  const refuse = (): Promise<never> => Promise.reject(new AppError("model_unavailable", reason));
  return { chat: refuse, image: refuse };
}
