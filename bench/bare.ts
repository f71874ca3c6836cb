/** A fastify server with nothing in it: what everything else is compared with. Tells its port over IPC. */
import fastify from "fastify";

const app = fastify();
app.get("/", () => ({ ok: true }));
app.post("/", () => ({ ok: true }));
const url = await app.listen({ port: 0, host: "127.0.0.1" });
process.send?.(url);
process.once("disconnect", () => process.exit());
