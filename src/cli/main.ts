import { Command, InvalidArgumentError } from "commander";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tellFailed } from "../platform/supervision/parent.ts";

const OFFLINE_MODELS_PORT = 4003;

/** The command line. Each command is imported when it runs, so that none pays for another. */
const program = new Command("meshforge")
  .description(
    "A job-queue worker platform: calls are settled, queued, run by worker pools, and refunded when they fail.",
  )
  .version(ownVersion(), "-v, --version")
  .showHelpAfterError();

program
  .command("up")
  .description("start everything on this machine and serve until stopped")
  .action(async () => (await import("./up.ts")).up());

program
  .command("demo")
  .description("start everything, do the main job once on real input, show it, and end")
  .action(async () => (await import("./demo.ts")).demo());

program
  .command("api")
  .description("serve the HTTP surfaces (needs DATABASE_URL)")
  .action(async () => (await import("./api.ts")).api());

program
  .command("worker")
  .description("serve one or several pools (needs DATABASE_URL)")
  .argument("<pools>", "names of pools, with commas")
  .option("--concurrency <n>", "calls at once in each pool, instead of the pool's own number", wholeNumber)
  .action(async (pools: string, options: { concurrency?: number }) =>
    (await import("./worker.ts")).worker(pools, options.concurrency),
  );

program
  .command("offline-models")
  .description("serve the offline models over OpenAI's protocol")
  .option("--host <address>", "the address to listen on", "127.0.0.1")
  .option("--port <n>", "the port to listen on", wholeNumber, OFFLINE_MODELS_PORT)
  .option("--capabilities <folder>", "a further folder of capabilities that answer for themselves")
  .action(async (options: { host: string; port: number; capabilities?: string }) =>
    (await import("./offline-models.ts")).offlineModels(options),
  );

program
  .command("migrate")
  .description("bring the database's schema up to date")
  .action(async () => (await import("./migrate.ts")).migrateCommand());

program.command("compile", { hidden: true }).action(async () => void (await import("./up.ts")));

program.command("prepare", { hidden: true }).action(async () => (await import("./prepare.ts")).prepare());

program
  .command("pools")
  .description("show how each pool does")
  .option("--json", "as JSON")
  .action(async (options: { json?: boolean }) => (await import("./pools.ts")).pools(options));

program
  .command("health")
  .description("exit code 0 where a process of this machine does its work, for health checks of containers")
  .argument("[what]", "worker, or an address that has to answer 200; else the API's readiness")
  .action(async (what?: string) => (await import("./health.ts")).health(what));

program
  .command("audit")
  .description("check every invariant of money and calls; exit code 1 on a violation")
  .option("--json", "as JSON")
  .action(async (options: { json?: boolean }) => (await import("./audit.ts")).auditCommand(options));

program
  .command("backup")
  .description("write all that the embedded platform keeps into one file, while it runs")
  .argument("<file>", "where to; nothing may stand there")
  .action(async (file: string) => (await import("./backup.ts")).backup(file));

program
  .command("restore")
  .description("bring DATA_DIR to what a backup holds")
  .argument("<file>")
  .option("--replace", "put aside what stands in DATA_DIR")
  .action(async (file: string, options: { replace?: boolean }) =>
    (await import("./backup.ts")).restoreCommand(file, options),
  );

program
  .command("secrets")
  .description("what is stored sealed, for operators")
  .command("rotate")
  .description("seal anew with SECRET_KEY what SECRET_KEY_PREVIOUS sealed")
  .action(async () => (await import("./secrets.ts")).rotate());

const account = program.command("account").description("accounts, for operators");
account
  .command("show")
  .argument("<handle>")
  .action(async (handle: string) => (await import("./account.ts")).show(handle));
account
  .command("grant")
  .description("credit an account; USD as decimal dollars")
  .argument("<handle>")
  .argument("<amount>")
  .argument("<currency>", "MESH or USD")
  .action(async (handle: string, amount: string, currency: string) =>
    (await import("./account.ts")).grant(handle, amount, currency),
  );
account
  .command("key")
  .description(
    "make a further key without limits, for an account that lost its own; prints it and nothing else",
  )
  .argument("<handle>")
  .action(async (handle: string) => (await import("./account.ts")).key(handle));
account
  .command("tier")
  .argument("<handle>")
  .argument("<tier>", "vip or free")
  .option("--days <n>", "how long VIP lasts", wholeNumber)
  .action(async (handle: string, tier: string, options: { days?: number }) =>
    (await import("./account.ts")).tier(handle, tier, options.days),
  );

/** The version of the package, which stands above the sources and the compiled programs. */
function ownVersion(): string {
  for (let folder = import.meta.dirname; ; folder = join(folder, "..")) {
    try {
      return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || folder === join(folder, "..")) throw error;
    }
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It must be a whole number from 1 on.");
  return value;
}

try {
  await program.parseAsync();
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  // A supervisor says it in its own words.
  if (!(await tellFailed(reason))) console.error(`meshforge: ${reason}`);
  // Whatever a failed command has open, it ends now.
  process.exit(1);
}
