import type { MessagePort } from "node:worker_threads";
import { execute, type Outcome, timeLeft } from "../src/core/calls/execute.ts";
import type { ArtifactPort, StoredArtifact } from "../src/core/catalog/define.ts";
import { noFeatures } from "../src/core/catalog/none.ts";
import { AppError, type ErrorCode } from "../src/core/errors.ts";
import { noMemory } from "../src/core/memory/none.ts";
import { noModels } from "../src/core/models/none.ts";
import { capabilityOf, loadFolder, loadHandler } from "../src/core/catalog/folders.ts";
import { type Fault, faultOf } from "../src/core/observe/fault.ts";
import { throttled } from "./progress.ts";

/** What a thread is given. */
export type ThreadTask = {
  readonly folder: string;
  readonly slug: string;
  readonly input: string;
  readonly callId: string;
  readonly accountId: string;
  readonly warnings: readonly string[];
  readonly leftMs: number;
  readonly baseUrl: string;
  readonly port: MessagePort;
};

/** What a thread says besides its outcome. */
export type FromThread =
  | { readonly kind: "progress"; readonly data: string }
  | { readonly kind: "unexpected"; readonly fault: Fault }
  | {
      readonly kind: "put";
      readonly id: number;
      readonly bytes: Uint8Array;
      readonly about: { readonly mime: string; readonly filename: string };
    };

/** What became of an artifact. `code` is that of an error that a caller may see. */
export type ToThread =
  | { readonly id: number; readonly stored: StoredArtifact }
  | { readonly id: number; readonly error: string; readonly code?: ErrorCode };

const loaded = new Map<string, ReturnType<typeof load>>();

async function load(folder: string) {
  const [declared, handler] = await Promise.all([loadFolder(folder), loadHandler(folder)]);
  return { capabilities: declared.map(capabilityOf), handler };
}

/** Runs one call in a worker thread. */
export default async function runInThread({
  folder,
  slug,
  input,
  callId,
  accountId,
  warnings,
  leftMs,
  baseUrl,
  port,
}: ThreadTask): Promise<Outcome> {
  let loading = loaded.get(folder);
  if (loading === undefined) loaded.set(folder, (loading = load(folder)));
  const { capabilities, handler } = await loading;
  const capability = capabilities.find((one) => one.slug === slug);
  if (capability === undefined) throw new Error(`${folder} declares no ${slug}`);
  const say = (message: FromThread): void => port.postMessage(message);
  const context = {
    callId,
    accountId,
    warnings,
    baseUrl,
    // Whoever wants this run to stop ends the thread.
    signal: new AbortController().signal,
    leftMs: timeLeft(leftMs),
    artifacts: artifactsOver(port),
    models: noModels("A thread asks no model."),
    memory: noMemory("A thread remembers nothing."),
    features: noFeatures("A thread has no services of features."),
    progress: throttled((data) => say({ kind: "progress", data })),
  };
  const onUnexpected = (error: unknown): void => say({ kind: "unexpected", fault: faultOf(error) });
  try {
    return await execute(capability, handler, JSON.parse(input), context, onUnexpected);
  } finally {
    port.close();
  }
}

/** The artifact store of the process that owns this thread. */
function artifactsOver(port: MessagePort): ArtifactPort {
  const asked = new Map<number, PromiseWithResolvers<StoredArtifact>>();
  let lastId = 0;
  port.on("message", (message: ToThread) => {
    const answer = asked.get(message.id);
    asked.delete(message.id);
    if ("stored" in message) answer?.resolve(message.stored);
    else if (message.code === undefined) answer?.reject(new Error(message.error));
    else answer?.reject(new AppError(message.code, message.error));
  });
  return {
    put: (bytes, about) => {
      const answer = Promise.withResolvers<StoredArtifact>();
      const id = ++lastId;
      asked.set(id, answer);
      port.postMessage({ kind: "put", id, bytes, about } satisfies FromThread);
      return answer.promise;
    },
  };
}
