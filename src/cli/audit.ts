import { audit } from "../core/ledger/audit.ts";
import { withDatabase } from "./database-url.ts";
import { table } from "./table.ts";

/** Checks the invariants and prints a table, or JSON; exit code 1 on a violation. */
export async function auditCommand({ json = false }: { readonly json?: boolean }): Promise<void> {
  const result = await withDatabase(audit);
  if (json) console.log(JSON.stringify(result));
  else {
    console.log(
      table(
        ["", "invariant", "violations"],
        result.checks.map(({ id, name, violations }) => [id, name, violations]),
      ),
    );
    console.log(result.ok ? "\nEvery invariant holds." : "\nVIOLATIONS FOUND.");
  }
  if (!result.ok) process.exitCode = 1;
}
