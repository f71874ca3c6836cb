import { Piscina } from "piscina";
import { type PreparedBody, prepareBody } from "../../core/calls/prepare.ts";
import type { Contract, ContractSchemas } from "../../core/catalog/contract.ts";
import { capabilityOf, loadFolder } from "../../core/catalog/folders.ts";
import type { Remarks } from "../../core/catalog/remarks.ts";
import { schemaContract } from "../../core/catalog/schema-contract.ts";
import { AppError, invalidInput, type PlainFault, plainFault, Refusal } from "../../core/errors.ts";
import { LIMITS } from "../../core/limits.ts";
import { parseJsonBody } from "./json-body.ts";

type CallOf = {
  readonly folder: string;
  readonly slug: string;
  /** What the contract is made of, where it is not the folder's. */
  readonly schemas: ContractSchemas | undefined;
  readonly keyed: boolean;
};

/** A body to be read; with a capability, as the body of a call of it. */
export type BodyTask = {
  readonly blocks: readonly Uint8Array[];
  readonly call: CallOf | null;
};

/** What was read: the value, where it is small enough to be taken over, or the call's input as canonical JSON. */
export type BodyRead =
  | { readonly unreadable: PlainFault }
  | { readonly value: unknown }
  | {
      readonly sha256: string | null;
      readonly input:
        | { readonly json: Uint8Array; readonly sha256: string; readonly warnings: Remarks }
        | PlainFault;
    };

/** Reads one body in a thread. What makes it unreadable is part of the answer: a thrown error would lose its code. */
export default async function readBody({ blocks, call }: BodyTask): Promise<BodyRead> {
  try {
    const value = parseJsonBody(Buffer.concat(blocks));
    if (call === null) return { value: takenOver(value) };
    return answer(prepareBody(await contractOf(call), value, call.keyed));
  } catch (error) {
    const unreadable = plainFault(error);
    if (unreadable === undefined) throw error;
    return { unreadable };
  }
}

const contracts = new Map<string, Promise<ReadonlyMap<string, Contract>>>();

async function contractOf({ folder, slug, schemas }: CallOf): Promise<Contract> {
  if (schemas !== undefined) return schemaContract(schemas, "thread");
  let loading = contracts.get(folder);
  if (loading === undefined) contracts.set(folder, (loading = loadContracts(folder)));
  const contract = (await loading).get(slug);
  if (contract === undefined) throw new Error(`${folder} declares no ${slug}`);
  return contract;
}

async function loadContracts(folder: string): Promise<ReadonlyMap<string, Contract>> {
  return new Map((await loadFolder(folder)).map(capabilityOf).map(({ slug, contract }) => [slug, contract]));
}

/** The input as bytes, whose memory goes over to the thread that asked. */
function answer({ sha256, input }: PreparedBody): BodyRead {
  if (input instanceof AppError || input instanceof Refusal)
    return { sha256, input: plainFault(input) as PlainFault };
  const json = new TextEncoder().encode(input.json as string);
  const read: BodyRead = { sha256, input: { json, sha256: input.sha256, warnings: input.warnings } };
  return Piscina.move({
    [Piscina.transferableSymbol]: [json.buffer],
    [Piscina.valueSymbol]: read,
  } as never) as unknown as BodyRead;
}

/** A value that costs the thread that asked little to take over. Throws `invalid_input` for any other. */
function takenOver(value: unknown): unknown {
  if (countValues(value, LIMITS.bodyValues) > LIMITS.bodyValues) {
    throw invalidInput([{ path: "", message: `The body holds more than ${LIMITS.bodyValues} values.` }]);
  }
  return value;
}

/** How many values there are within this one, itself included; counting ends past `most`. */
function countValues(value: unknown, most: number): number {
  let count = 1;
  if (typeof value !== "object" || value === null) return count;
  for (const inner of Object.values(value)) {
    count += countValues(inner, most - count);
    if (count > most) break;
  }
  return count;
}
