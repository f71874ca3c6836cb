/**
 * Starts, stops, kills and starves the platform as operators and machines do, and prints one line for each case.
 *
 *   npm run test:operations             all cases
 *   npm run test:operations -- redis    those whose names hold this word
 *   OPERATIONS_NODE                     the Node that the commands are run with (default: the first in the PATH)
 */
import { cases } from "./cases.ts";
import { World } from "./world.ts";

const [, , word = ""] = process.argv;
const world = await World.open();
let failed = 0;
for (const [name, play] of Object.entries(cases).filter(([name]) => name.includes(word))) {
  const beganAt = performance.now();
  const fault = await play(world).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (fault !== null) await world.clear();
  const seconds = ((performance.now() - beganAt) / 1_000).toFixed(1);
  console.log(
    `${fault === null ? "pass" : "FAIL"}  ${name} (${seconds} s)${fault === null ? "" : `\n      ${fault}`}`,
  );
  if (fault !== null) failed++;
}
await world.rest();
await world.remove();
console.log(failed === 0 ? "every case passed" : `${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
