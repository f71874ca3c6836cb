const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether a request was made to one of our names: this machine's own, the address that it was sent to, or one of those
 * `allowed`. A page of another site that has its name resolve to this machine still sends that name.
 */
export function isOwnHost(
  host: string,
  localAddress: string | undefined,
  allowed: readonly string[],
): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (name === "") return false;
  return LOOPBACK.has(name) || name === asHost(localAddress) || allowed.includes(name);
}

/** An address of a socket as a URL has it; an IPv4 one may come in its IPv6 form. */
function asHost(address: string | undefined): string | undefined {
  const plain = address?.replace(/^::ffff:(?=\d+\.)/, "");
  return plain?.includes(":") === true ? `[${plain}]` : plain;
}
