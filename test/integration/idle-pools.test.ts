import { expect, it, onTestFinished, vi } from "vitest";
import { Work } from "../../src/core/calls/work.ts";
import { tidy } from "../../src/core/calls/sweep.ts";
import { begin, ended } from "../support/calls.ts";
import { startTestPlatform } from "../support/platform.ts";

it("asks for no calls of a pool that no capability needs, however often it is told of some", async () => {
  const claim = vi.spyOn(Work.prototype, "claim");
  onTestFinished(() => claim.mockRestore());
  const platform = await startTestPlatform({
    pools: [
      { pool: "fusion", slots: 4 },
      { pool: "brain", slots: 4 },
    ],
  });
  onTestFinished(() => platform.stop());
  const { dispatcher } = platform.runtime;
  await dispatcher.announce("fusion", [`call_${"0".repeat(32)}`]);
  const { key } = await platform.account(10);
  const callId = await begin(platform, key, "test-work", {});
  expect(await ended(platform, key, callId)).toMatchObject({ status: "succeeded" });
  expect(claim.mock.calls.map(([pool]) => pool)).toContain("brain");
  expect(claim.mock.calls.map(([pool]) => pool)).not.toContain("fusion");
});

it("forgets a killed worker's entry, and no living one's", async () => {
  const platform = await startTestPlatform({ pools: [{ pool: "brain", slots: 4 }] });
  onTestFinished(() => platform.stop());
  const { owner } = platform.database;
  await owner.query(
    `insert into workers (name, pool, slots, running, seen_at)
     values ('killed', 'brain', 4, 0, clock_now() - interval '61 seconds')`,
  );
  await tidy(platform.runtime.db);
  const names = (await owner.query<{ name: string }>("select name from workers")).map(({ name }) => name);
  expect(names).not.toContain("killed");
  expect(names).toHaveLength(1);
});
