import { fileURLToPath } from "node:url";
import { canonicalJson, sha256Hex } from "../../src/core/canonical.ts";
import { capabilityOf, loadFolder, loadStateTool } from "../../src/core/catalog/folders.ts";
import { newId } from "../../src/core/ids.ts";
import type { StateOperation } from "../../src/core/state/chain.ts";
import type { StateTool } from "../../src/core/state/state-tool.ts";
import { frozen } from "./frozen.ts";

const folder = fileURLToPath(new URL("capabilities/test-state", import.meta.url));
const [declared] = await loadFolder(folder);
if (declared === undefined) throw new Error("there is no test-state");
const capability = capabilityOf(declared);
const rules = await loadStateTool(folder);

/** The rules of test-state, which are given nothing that can be changed. */
const tool: StateTool = {
  documents: (input, caller) => rules.documents(input, caller),
  decide: (documents, input, context) => rules.decide(frozen(documents), frozen(input), context),
};

export type StateInput = {
  readonly mode?: string;
  readonly purse: string;
  readonly to?: string;
  readonly coins?: number;
};

/** A call of test-state that is to be settled for an account. */
export function stateOperation(
  account: { readonly id: string; readonly keyId: string },
  body: StateInput,
  price = 1,
): StateOperation {
  const input = capability.contract.parse(body);
  return {
    capability,
    tool,
    input,
    refs: tool.documents(input, { accountId: account.id }),
    settlement: {
      id: newId("call"),
      account_id: account.id,
      key_id: account.keyId,
      slug: capability.slug,
      version: capability.version,
      pool: capability.pool,
      priority: 0,
      price,
      currency: "MESH",
      state: "queued",
      max_attempts: 3,
      timeout_ms: 1_000,
      deadline_ms: 1_000,
      input: null,
      input_sha256: sha256Hex(canonicalJson(input)),
      idempotency_key: null,
      request_sha256: null,
    },
  };
}
