/**
 * Breaks the money protocol on purpose, one patch of `mutants/` after the other, and sees to it that the tests notice.
 * Each patch names the tests that must fail with it, and pass without it, and what the failure says: a mutant that has
 * become a mere slip of the pen fails its tests, too. All in a copy of the checkout, as it stands.
 *
 *   node test/chaos/mutants.ts [NAME ...]   only the patches of these names
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const PATCHES = join(import.meta.dirname, "mutants");
const HEADER = /^# caught by: vitest run (?<tests>.+)\n# saying: (?<saying>.+)$/m;
/** Where vitest.config.ts has a run reported. */
const REPORT = ".data/test-results.json";
/** Of one run of vitest; no test may take longer than 30 s. */
const RUN_LIMIT_MS = 120_000;
const WHY_CHARS = 180;
const MS_IN_S = 1_000;

type Mutant = {
  readonly name: string;
  readonly patch: string;
  readonly tests: string;
  readonly saying: string;
};
/** What is read of the report that vitest writes. */
type Report = {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly failureMessages?: string[] }[];
  }[];
};
const NO_REPORT: Report = { numPassedTests: 0, testResults: [] };

const mutants = readMutants(process.argv.slice(2));
const checkout = copyCheckout();
try {
  const started = performance.now();
  for (const tests of new Set(mutants.map((mutant) => mutant.tests))) expectPass(tests);
  const survived = mutants.filter((mutant) => !isCaught(mutant));
  const seconds = Math.round((performance.now() - started) / MS_IN_S);
  console.log(`${mutants.length - survived.length} of ${mutants.length} mutants caught in ${seconds} s`);
  process.exitCode = survived.length > 0 ? 1 : 0;
} finally {
  rmSync(checkout, { recursive: true, force: true });
}

function readMutants(only: readonly string[]): readonly Mutant[] {
  const names = readdirSync(PATCHES)
    .filter((file) => file.endsWith(".patch"))
    .map((file) => basename(file, ".patch"));
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`there is no mutant ${unknown.join(", ")}`);
  return (only.length > 0 ? only : names).map((name) => {
    const patch = join(PATCHES, `${name}.patch`);
    const { tests, saying } = HEADER.exec(readFileSync(patch, "utf8"))?.groups ?? {};
    if (tests === undefined || saying === undefined) throw new Error(`${patch} does not say what catches it`);
    return { name, patch, tests, saying };
  });
}

/** What git tracks or would, with the packages of this checkout. */
function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), "meshforge-mutants-"));
  const files = run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], ROOT).split(
    "\0",
  );
  for (const file of files.filter((name) => name !== "" && existsSync(join(ROOT, name)))) {
    cpSync(join(ROOT, file), join(copy, file));
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

/** A test that fails anyway would catch everything. */
function expectPass(tests: string): void {
  const failures = runTests(tests);
  if (failures.length > 0)
    throw new Error(`fails without a mutant: vitest run ${tests}\n${failures.join("\n")}`);
}

function isCaught({ name, patch, tests, saying }: Mutant): boolean {
  run("git", ["apply", patch], checkout);
  const failures = runTests(tests);
  run("git", ["apply", "--reverse", patch], checkout);
  const found = failures.find((failure) => failure.includes(saying));
  if (found === undefined) {
    console.log(`SURVIVED  ${name}  nothing says ${JSON.stringify(saying)} in vitest run ${tests}`);
    for (const failure of failures) console.log(`          ${failure}`);
  } else console.log(`caught    ${name}  ${found}`);
  return found !== undefined;
}

/**
 * Runs tests in the copy, and gives why they failed, a line for each. Throws where none was run: a mutant that keeps the
 * platform from starting is caught by nobody.
 */
function runTests(tests: string): readonly string[] {
  const args = [...tests.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
  const file = join(checkout, REPORT);
  rmSync(file, { force: true });
  const { stdout, stderr } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...args], {
    cwd: checkout,
    encoding: "utf8",
    timeout: RUN_LIMIT_MS,
  });
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : NO_REPORT;
  const failures = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ title, failureMessages = [] }) =>
      failureMessages.map((message) => `${title}: ${message.split("\n", 1)[0]}`.slice(0, WHY_CHARS)),
    );
  if (report.numPassedTests + failures.length === 0)
    throw new Error(`ran no test: vitest run ${tests}\n${stdout}${stderr}`);
  return failures;
}

/** Runs a program to its end and gives what it says; throws what it complains of. */
function run(program: string, args: readonly string[], cwd: string): string {
  // The copy is no repository, even where the temporary folder lies in one: git would pass over its files.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(cwd) };
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}\n${stderr}`);
  return stdout;
}
