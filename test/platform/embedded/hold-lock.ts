// Takes the lock of the DATA_DIR that it is given, says `held` or `refused`, and stays.
import { acquireLock, AlreadyRunning } from "../../../src/platform/embedded/lock.ts";

try {
  await acquireLock(process.argv[2] as string);
  process.stdout.write("held\n");
} catch (error) {
  if (!(error instanceof AlreadyRunning)) throw error;
  process.stdout.write("refused\n");
}
setInterval(() => {}, 1_000);
