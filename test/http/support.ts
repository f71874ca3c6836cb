import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { expect } from "vitest";
import type { Answer, TestPlatform } from "../support/platform.ts";

/** Every error is `{error: code, message?, ...}`, as JSON, and tells nothing of what lies within. */
export function expectError(answer: Answer, status: number, code: string): void {
  expect(answer.body).toMatchObject({ error: code });
  expect(answer.status).toBe(status);
  expectErrorShape(answer);
}

/** The same of any error, whatever its code. */
export function expectErrorShape({ status, headers, body }: Answer): void {
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(body.error).toMatch(/^[a-z][a-z_]+$/);
  if (body.message !== undefined) expect(typeof body.message).toBe("string");
  if (body.error === "invalid_input") expect(Array.isArray(body.issues)).toBe(true);
  expect(JSON.stringify(body)).not.toMatch(
    /\bat .+\.ts:\d+|select .+ from |node_modules|mf_[0-9A-Za-z]{38}/i,
  );
  expect(status).not.toBe(500);
}

export type RawAnswer = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };

/** A request whose path and body go out as they are: nothing is normalised or encoded. */
export async function rawRequest(
  platform: Pick<TestPlatform, "baseUrl">,
  method: string,
  path: string,
  options: { readonly headers?: Readonly<Record<string, string>>; readonly body?: Uint8Array | string } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(platform.baseUrl);
  return await new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path, headers: { ...options.headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const headers = new Headers();
          for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
          resolve({ status: response.statusCode ?? 0, headers, bytes: Buffer.concat(chunks) });
        });
      },
    );
    request.on("error", reject);
    request.end(options.body);
  });
}

/** Writes bytes to the server's port and gives what it says until it closes, or for `forMs`. */
export async function rawConnection(
  platform: Pick<TestPlatform, "baseUrl">,
  text: string,
  forMs = 60_000,
): Promise<string> {
  const { hostname, port } = new URL(platform.baseUrl);
  return await new Promise((resolve, reject) => {
    let said = "";
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
    const done = (): void => {
      socket.destroy();
      resolve(said);
    };
    const timer = setTimeout(done, forMs);
    socket.on("data", (chunk) => (said += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      done();
    });
  });
}

/** The answer of a raw request, with its body read as JSON. */
export const asAnswer = ({ status, headers, bytes }: RawAnswer): Answer => ({
  status,
  headers,
  body: JSON.parse(bytes.toString("utf8")),
});
