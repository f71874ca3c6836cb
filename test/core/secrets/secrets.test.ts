import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyRing } from "../../../src/core/secrets/key-ring.ts";
import { isSealedWithCurrent, open, seal } from "../../../src/core/secrets/seal.ts";
import { signToken, verifyToken } from "../../../src/core/secrets/signed-token.ts";

const [older, newer, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const before = createKeyRing(older, null);
const rotated = createKeyRing(newer, older);
const after = createKeyRing(newer, null);

describe("a sealed text", () => {
  it("opens to what it was, whatever it is, and in its own context only", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), fc.string(), (text, context, another) => {
        const sealed = seal(before, text, context);
        expect(open(before, sealed, context)).toBe(text.toWellFormed());
        if (another !== context) expect(() => open(before, sealed, another)).toThrow();
      }),
    );
  });

  it("differs each time, and shows nothing of the text or the key", () => {
    const sealed = Array.from({ length: 50 }, () => seal(before, "whsec_text", "a"));
    expect(new Set(sealed).size).toBe(50);
    for (const each of sealed) {
      expect(each).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
      expect(Buffer.from(each.split(".")[2] ?? "", "base64url").toString("latin1")).not.toContain("whsec");
      expect(each).not.toContain(older.toString("hex").slice(0, 8));
    }
  });

  it("does not open when any bit of it is another", () => {
    const sealed = seal(before, "secret", "a");
    const head = sealed.slice(0, sealed.lastIndexOf(".") + 1);
    const bytes = Buffer.from(sealed.slice(head.length), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => open(before, `${head}${changed.toString("base64url")}`, "a")).toThrow();
    }
    for (const cut of ["", "v1", head, `${head}AAAA`, sealed.slice(0, -3), `v2${sealed.slice(2)}`]) {
      expect(() => open(before, cut, "a"), cut).toThrow();
    }
  });

  it("opens while its key is the current or the previous one, and says which key it lacks after that", () => {
    const sealed = seal(before, "secret", "a");
    expect(isSealedWithCurrent(before, sealed)).toBe(true);
    expect(isSealedWithCurrent(rotated, sealed)).toBe(false);
    const anew = seal(rotated, open(rotated, sealed, "a"), "a");
    expect(open(after, anew, "a")).toBe("secret");
    expect(() => open(after, sealed, "a")).toThrow(before.current.id);
  });
});

describe("a signed token", () => {
  const grant = { purpose: "stream", subject: "call_1" } as const;
  const now = 1_800_000_000_000;

  it("holds for its subject until its time, under the current key and the previous one", () => {
    const token = signToken(before, grant, now + 60_000);
    for (const keys of [before, rotated]) {
      expect(verifyToken(keys, grant, token, now)).toBe("valid");
      expect(verifyToken(keys, grant, token, now + 59_999)).toBe("valid");
      expect(verifyToken(keys, grant, token, now + 60_000)).toBe("expired");
    }
    expect(verifyToken(after, grant, token, now)).toBe("invalid");
    expect(verifyToken(createKeyRing(other, null), grant, token, now)).toBe("invalid");
    expect(verifyToken(before, { ...grant, subject: "call_2" }, token, now)).toBe("invalid");
  });

  it("does not last longer for who writes another time into it", () => {
    const token = signToken(before, grant, now + 1_000);
    const [seconds, signature] = token.split(".");
    const later = `${Number(seconds) + 3_600}.${signature}`;
    expect(verifyToken(before, grant, later, now)).toBe("invalid");
    expect(verifyToken(before, grant, `0${token}`, now)).not.toBe("expired");
  });

  it("is invalid when it is anything else", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(verifyToken(before, grant, text, now)).toBe("invalid");
      }),
    );
  });
});
