// Stands for a platform that somebody kills: starts the database of the DATA_DIR that it is given, says where it is,
// and stays.
import { startPostgres } from "../../../src/platform/embedded/postgres.ts";

const { url, pid } = await startPostgres({ dataDir: process.argv[2] as string });
process.stdout.write(`${JSON.stringify({ url, pid })}\n`);
setInterval(() => {}, 1_000);
