import { describe, expect, it } from "vitest";
import { isAllowedAddress } from "../../../src/core/outbound/addresses.ts";
import { MAX_URL_CHARS, parseTarget } from "../../../src/core/outbound/targets.ts";

const isRefused = (text: string, allowPrivate = false): boolean =>
  "refused" in parseTarget(text, { allowPrivate });

const REFUSED_HOSTS: Readonly<Record<string, readonly string[]>> = {
  "IPv4 in dots": [
    "127.0.0.1",
    "127.1.2.3",
    "127.255.255.254",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "169.254.0.1",
    "169.254.169.254",
    "169.254.170.2",
    "100.64.0.1",
    "100.100.100.200",
    "0.0.0.0",
    "0.1.2.3",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "198.51.100.7",
    "203.0.113.9",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.255",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
  ],
  "IPv4 in other forms": [
    "2130706433",
    "0x7f000001",
    "017700000001",
    "0x7f.0.0.1",
    "0x7f.1",
    "0177.0.0.1",
    "0177.0.0.01",
    "127.1",
    "127.0.1",
    "0x7F.0x0.0x0.0x1",
    "0",
    "0x0",
    "00000000",
    "3232235521",
    "0xa9fea9fe",
    "2852039166",
    "169.254.43518",
    "0251.0376.0251.0376",
    "127.0.0.1.",
    "2130706433.",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "①②⑦.0.0.1",
  ],
  IPv6: [
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[0000:0000:0000:0000:0000:0000:0000:0001]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::FFFF:10.0.0.1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b::8.8.8.8]",
    "[64:ff9b:1::10.0.0.1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2002:c0a8:1::1]",
    "[2001:0:53aa:64c::1]",
    "[2001:db8::1]",
    "[2001:20::1]",
    "[3fff::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[100::1]",
    "[100:0:0:1::1]",
    "[4000::1]",
    "[5f00::1]",
    "[fe80::1%25eth0]",
  ],
  names: [
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "localhost.localdomain",
    "ⓛocalhost",
    "metadata.google.internal",
    "metadata.google.internal.",
    "METADATA.google.internal",
    "instance-data.ec2.internal",
    "metadata.goog",
    "metadata.tencentyun.com",
    "metadata",
    "kubernetes.default.svc",
    "api.default.svc.cluster.local",
    "host.docker.internal",
    "printer.local",
    "router.lan",
    "nas.home",
    "box.home.arpa",
    "wiki.corp",
    "wiki.intranet",
    "db.private",
    "abcdefghijklmnop.onion",
    "database",
    "com",
    "a..example.com",
    ".example.com",
    "*.example.com",
    "-a.example.com",
    `${"a".repeat(64)}.example.com`,
    `${"a.".repeat(130)}com`,
  ],
  "no host at all": [
    "",
    "999.1.1.1",
    "1.2.3.4.5",
    "08.1.1.1",
    "a b.example.com",
    "a%00.example.com",
    "[",
    "[::g]",
  ],
};

describe("refuses the host", () => {
  for (const [kind, hosts] of Object.entries(REFUSED_HOSTS)) {
    it.each(hosts)(`${kind}: %s`, (host) => {
      expect(isRefused(`https://${host}/hook`)).toBe(true);
      expect(isRefused(`https://${host}:8443/hook`)).toBe(true);
    });
  }
});

it.each([
  ["a user", "https://user@example.com/"],
  ["a password", "https://user:secret@example.com/"],
  ["an empty user", "https://@example.com/"],
  ["an empty password", "https://:@example.com/"],
  ["plain http", "http://example.com/"],
  ["another scheme", "ftp://example.com/"],
  ["a file", "file:///etc/passwd"],
  ["a script", "javascript:alert(1)"],
  ["no scheme", "example.com/hook"],
  ["no authority", "https:example.com"],
  ["one slash", "https:/example.com"],
  ["three slashes", "https:///example.com"],
  ["a backslash", "https://example.com\\@evil.example.org/"],
  ["a space before it", " https://example.com/"],
  ["a line end", "https://example.com/\r\nx: y"],
  ["a tab", "https://exam\tple.com/"],
  ["a NUL", "https://example.com/\0"],
  ["port 0", "https://example.com:0/"],
  ["a port too large", "https://example.com:65536/"],
  ["nothing", ""],
  ["too many characters", `https://example.com/${"a".repeat(MAX_URL_CHARS)}`],
])("refuses a URL with %s", (_what, text) => {
  expect(isRefused(text)).toBe(true);
});

it.each([
  "https://example.com/hook",
  "https://example.com./hook",
  "https://EXAMPLE.com:8443/a/b?c=d#e",
  "https://hooks.example.co.uk/T000/B000/secret@path",
  "https://a_b.example.com/",
  "https://bücher.example/",
  "https://8.8.8.8/hook",
  "https://[2606:4700:4700::1111]/hook",
  "https://localhost.example.com/",
  "https://internal.example.com/",
])("takes %s", (text) => {
  expect(isRefused(text)).toBe(false);
});

it("takes plain http and loopback, and nothing else that is private, where that is allowed", () => {
  for (const host of ["127.0.0.1", "127.1", "[::1]", "localhost", "a.localhost"]) {
    expect(isRefused(`http://${host}:8080/hook`, true), host).toBe(false);
  }
  for (const host of [
    "10.0.0.1",
    "169.254.169.254",
    "[fd00::1]",
    "0.0.0.0",
    "metadata.google.internal",
    "db",
  ]) {
    expect(isRefused(`http://${host}/hook`, true), host).toBe(true);
  }
});

it("takes no text for an address that is none", () => {
  for (const text of ["", "localhost", "example.com", "1.2.3", "::ffff:1.2.3.4.5", "8.8.8.8:80"]) {
    expect(isAllowedAddress(text, { allowLoopback: true }), text).toBe(false);
  }
});
