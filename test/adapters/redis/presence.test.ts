import { afterEach, describe, expect, it } from "vitest";
import { RedisPresence } from "../../../src/adapters/redis/presence.ts";
import { hasRedisServer, RedisServer } from "../../support/redis-server.ts";
import { until } from "../../support/until.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function watch(server: RedisServer) {
  const said: string[] = [];
  const followed: string[] = [];
  const presence = new RedisPresence({
    url: server.url,
    prefix: "test",
    report: {
      onAway: () => said.push("away"),
      onBack: () => said.push("back"),
      onFault: (error) => said.push(`fault ${(error as Error).message}`),
    },
  });
  open.push({ close: () => server.kill() }, presence);
  await presence.start();
  presence.follow({ onHere: () => followed.push("here"), onAway: () => followed.push("away") });
  return { presence, said, followed };
}

const away = (presence: RedisPresence) => until(async () => presence.awaySince !== null);
const here = (presence: RedisPresence) => until(async () => presence.awaySince === null);

describe.skipIf(!hasRedisServer)("the presence of a Redis", () => {
  it("is known when it has started, with a server and without", async () => {
    const stopped = await watch(await RedisServer.stopped());
    expect(stopped.presence.awaySince).toBeInstanceOf(Date);
    expect(stopped.followed).toEqual(["away"]);
    const started = await watch(await RedisServer.started());
    expect(started.presence.awaySince).toBeNull();
    expect(started.followed).toEqual(["here"]);
    expect(started.said).toEqual([]);
  });

  it("follows a server that dies, stays away and comes back, and says each once", async () => {
    const server = await RedisServer.started();
    const { presence, said, followed } = await watch(server);
    await server.kill();
    await away(presence);
    const since = presence.awaySince;
    // Many things fail while a server is away, again and again.
    for (let nth = 0; nth < 50; nth++) presence.suspect(new Error("no connection"));
    await server.start();
    await here(presence);
    expect(since).toBeInstanceOf(Date);
    expect(followed).toEqual(["here", "away", "here"]);
    expect(said).toEqual(["away", "back"]);
  });

  it("takes a frozen server for away, although its connections stand", async () => {
    const server = await RedisServer.started();
    const { presence, said } = await watch(server);
    server.freeze();
    await away(presence);
    server.thaw();
    await here(presence);
    expect(said).toEqual(["away", "back"]);
  });

  it("takes a server that refuses to write for away", async () => {
    const server = await RedisServer.started();
    const { presence } = await watch(server);
    server.cli("config", "set", "maxmemory", "1");
    await away(presence);
    server.cli("config", "set", "maxmemory", "0");
    await here(presence);
    server.cli("config", "set", "min-replicas-to-write", "1");
    await away(presence);
  });

  it("tells of a fault only while the server is there, and not again for the next minute", async () => {
    const { presence, said } = await watch(await RedisServer.started());
    presence.suspect(new Error("refused"));
    await until(async () => said.length > 0);
    presence.suspect(new Error("refused again"));
    await presence.close();
    expect(said).toEqual(["fault refused"]);
  });
});
