import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { TimeLimitError, within } from "./time-limit.ts";

/** What a schema that comes from outside may be, and how long it may keep a process busy, on a processor of its own. */
export const SCHEMA_LIMITS = {
  /** As JSON; in UTF-16 units. */
  chars: 16_384,
  /** Nesting; the outermost object counts as 1. */
  depth: 32,
  compileMs: 500,
  /** One value: a pattern may backtrack without end, and references may multiply. */
  checkMs: 250,
} as const;

const FAULTS_SHOWN = 5;
const DRAFT_07 = "http://json-schema.org/draft-07/schema";
const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Says what is wrong with a value; undefined for a valid one.
 * Throws `SchemaFault` where the schema makes the check take longer than `SCHEMA_LIMITS.checkMs`.
 */
export type SchemaCheck = (value: unknown) => string | undefined;

/** A schema that cannot be used, and why, in words for its author. */
export class SchemaFault extends Error {
  override readonly name = "SchemaFault";
}

const FORMATS = {
  date: z.iso.date(),
  time: z.iso.time(),
  "date-time": z.iso.datetime({ offset: true }),
  email: z.email(),
  uri: z.url(),
  uuid: z.uuid(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
};

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  // Compiled where they stand, references could make the code grow without end.
  inlineRefs: false,
  addUsedSchema: false,
  validateSchema: false,
  meta: false,
  logger: false,
  formats: Object.fromEntries(
    Object.entries(FORMATS).map(([name, format]) => [name, (text: string) => format.safeParse(text).success]),
  ),
};

/**
 * Compiles a JSON Schema (2020-12, or draft-07 where `$schema` says so) that somebody outside has written. Neither the
 * schema nor a value can hold up the process for longer than `SCHEMA_LIMITS`, or where other programs have the processor
 * five times as long; nothing is fetched.
 * Throws `SchemaFault` for a schema that is too large or deep, malformed, or refers to what it does not hold.
 */
export function compileSchema(schema: JsonSchema): SchemaCheck {
  if (JSON.stringify(schema).length > SCHEMA_LIMITS.chars || isDeeperThan(schema, SCHEMA_LIMITS.depth)) {
    throw new SchemaFault(
      `It is larger than ${SCHEMA_LIMITS.chars} characters or deeper than ${SCHEMA_LIMITS.depth} levels.`,
    );
  }
  if (schema["$async"] !== undefined) throw new SchemaFault("It is asynchronous.");
  const dialect = dialectOf(schema);
  const meta = metaValidator(dialect);
  return bounded(SCHEMA_LIMITS.compileMs, () => {
    if (meta.validateSchema(schema) !== true)
      throw new SchemaFault(`It is malformed: ${sentence(meta.errors)}.`);
    const validate = compile(new dialect(OPTIONS), schema);
    return (value) =>
      bounded(SCHEMA_LIMITS.checkMs, () => (validate(value) ? undefined : sentence(validate.errors)));
  });
}

function compile(ajv: Ajv, schema: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw new SchemaFault(`It does not compile: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

type Dialect = new (options: Options) => Ajv;

const DIALECTS: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
  [DRAFT_2020, Ajv2020],
  [DRAFT_07, Ajv],
]);

function dialectOf({ $schema = DRAFT_2020 }: JsonSchema): Dialect {
  const found = typeof $schema === "string" ? DIALECTS.get($schema.replace(/#$/, "")) : undefined;
  if (found === undefined) throw new SchemaFault(`Its dialect is none of ${DRAFT_2020} and ${DRAFT_07}.`);
  return found;
}

const metaValidators = new Map<Dialect, Ajv>();

/** The validator of a dialect's schemas; it takes some 50 ms to build, once. */
function metaValidator(dialect: Dialect): Ajv {
  const known = metaValidators.get(dialect);
  if (known !== undefined) return known;
  const built = new dialect({ strict: false, logger: false });
  // Its first use compiles it, and a time limit could break that off half done.
  void built.validateSchema({});
  metaValidators.set(dialect, built);
  return built;
}

const sentence = (errors: readonly ErrorObject[] | null | undefined): string =>
  (errors ?? [])
    .slice(0, FAULTS_SHOWN)
    .map(
      ({ instancePath, message = "is wrong" }) =>
        `${instancePath === "" ? "the whole" : instancePath} ${message}`,
    )
    .join("; ");

/** Whether a JSON value nests deeper than `levels`; the outermost object or array counts as 1. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(part, levels - 1));
}

/** Does what a schema asks for, unless it takes too long or recurs without end. */
function bounded<T>(limitMs: number, work: () => T): T {
  try {
    return within(limitMs, work);
  } catch (error) {
    if (error instanceof RangeError) throw new SchemaFault("It refers to itself without end.");
    throw error instanceof TimeLimitError ? new SchemaFault(error.message) : error;
  }
}
