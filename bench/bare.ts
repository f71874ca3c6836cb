/** A fastify server with nothing in it: what everything else is compared with. Tells its port over IPC, and is told there what `/bytes` answers. */
import fastify from "fastify";

const app = fastify();
let bytes = Buffer.alloc(0);
app.get("/", () => ({ ok: true }));
app.post("/", () => ({ ok: true }));
app.get("/bytes", (_request, reply) => reply.header("content-type", "application/json").send(bytes));
const url = await app.listen({ port: 0, host: "127.0.0.1" });
process.on("message", (text: string) => {
  bytes = Buffer.from(text);
  process.send?.("taken");
});
process.send?.(url);
process.once("disconnect", () => process.exit());
