import { createSocket } from "node:dgram";
import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const FOUND = 0x8180;
const NO_SUCH_NAME = 0x8183;

export type NameServer = {
  /** `host:port`, as a resolver takes it. */
  readonly address: string;
  close(): Promise<void>;
};

/** The addresses of a name, or what gives them anew for each question; null where no answer ever comes. */
export type Addresses = readonly string[] | (() => readonly string[]) | null;

/** A DNS server (RFC 1035) that knows these names. */
export async function startNameServer(names: Readonly<Record<string, Addresses>>): Promise<NameServer> {
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, type, end } = question(query);
    const known = names[name];
    if (known === null) return;
    const addresses = typeof known === "function" ? known() : known;
    const fitting = (addresses ?? []).filter((address) => type === (isIPv4(address) ? TYPE_A : TYPE_AAAA));
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(addresses === undefined ? NO_SUCH_NAME : FOUND, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(fitting.length, 6);
    const answers = fitting.map((address) => record(type, ipaddr.parse(address).toByteArray()));
    socket.send(
      Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...answers]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function record(type: number, data: readonly number[]): Buffer {
  const nameOfTheQuestion = [0xc0, HEADER_BYTES];
  const internetForNoTime = [0, 1, 0, 0, 0, 0];
  return Buffer.from([...nameOfTheQuestion, 0, type, ...internetForNoTime, 0, data.length, ...data]);
}
