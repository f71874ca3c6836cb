import { createHash } from "node:crypto";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { matches } from "../../../src/core/catalog/vectors.ts";
import { deliver } from "../../../src/features/cam-forge/delivery.ts";
import { forge } from "../../../src/features/cam-forge/forge.ts";
import handler from "../../../src/features/cam-forge/handler.ts";
import camForge from "../../../src/features/cam-forge/index.ts";
import vectors from "../../../src/features/cam-forge/vectors.json" with { type: "json" };
import { contextWith, paramsOf, type Stored } from "./support.ts";

async function run(body: Readonly<Record<string, unknown>>) {
  const stored = new Map<string, Stored>();
  const result = await handler(paramsOf(body), contextWith(stored));
  return { result: camForge.output.parse(result), stored };
}

describe("a call", () => {
  it("gives the file inline and keeps it under its address", async () => {
    const { result, stored } = await run({});
    const file = Buffer.from(result.data ?? "", "base64");
    expect(file.equals(stored.get(result.url)?.bytes ?? new Uint8Array())).toBe(true);
    expect(result.sha256).toBe(createHash("sha256").update(file).digest("hex"));
    expect(result.bytes).toBe(file.length);
    expect(stored.has(result.preview_url)).toBe(true);
  });

  it("leaves the file out with inline false", async () => {
    const { result, stored } = await run({ inline: false });
    expect(result.data).toBeNull();
    expect(stored.get(result.url)?.bytes.length).toBe(result.bytes);
  });

  it("tells dropped cells, statistics and the effective parameters", async () => {
    const { result } = await run({ width: "300" });
    expect(result.cells).toEqual({ total: 171, holes: 159, dropped: 12 });
    expect(result.params).toEqual(paramsOf({}));
    expect(result.min_web_mm).toBe(3);
    const solid = (1 - result.open_area_pct / 100) * 300 * 200 * 6.35;
    expect(Math.abs((result.volume_mm3 ?? 0) / solid - 1)).toBeLessThan(0.001);
  });

  it("warns of a panel without holes", async () => {
    const { result } = await run({ width: 10, height: 10, margin: 4.9, pitch: 6, wall: 1 });
    expect(result.warnings).toEqual(["no_holes"]);
    expect(result.min_web_mm).toBeNull();
  });

  it("fails with not_watertight, and stores nothing, when the bytes are damaged", async () => {
    const params = paramsOf({});
    const panel = forge(params);
    panel.bytes.set(panel.bytes.slice(84, 134), 134);
    const stored = new Map<string, Stored>();
    await expect(deliver(params, panel, contextWith(stored))).rejects.toMatchObject({
      code: "not_watertight",
    });
    expect(stored.size).toBe(0);
  });

  it.each(vectors)("keeps its golden vector: $name", async ({ input, expect: expected }) => {
    const { result } = await run(input);
    expect(matches(result, expected)).toBe(true);
  });
});

async function picture(body: Readonly<Record<string, unknown>>): Promise<Uint8Array> {
  const { result, stored } = await run(body);
  const file = stored.get(result.preview_url);
  expect(file?.mime).toBe("image/png");
  return file?.bytes ?? new Uint8Array();
}

describe("the preview", () => {
  it("is a PNG that is the same each time and differs with the panel", async () => {
    const [first, again, other] = await Promise.all([picture({}), picture({}), picture({ shape: "circle" })]);
    expect(Buffer.from(first).subarray(1, 4).toString()).toBe("PNG");
    expect(Buffer.compare(first, again)).toBe(0);
    expect(Buffer.compare(first, other)).not.toBe(0);
  });

  it("shows the panel brighter than the holes in it", async () => {
    const { data, info } = await sharp(
      await picture({ width: 500, height: 350, pitch: 100, wall: 20, shape: "circle" }),
    )
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): number[] =>
      [...data.subarray((y * info.width + x) * info.channels)].slice(0, 3);
    const [red = 0, , blue = 0] = at(info.width / 2, info.height / 2);
    expect(blue).toBeGreaterThan(red);
    expect(at(2, 2).every((channel) => channel > 240)).toBe(true);
  });
});
