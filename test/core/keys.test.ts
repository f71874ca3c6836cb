import fc from "fast-check";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isKeyShaped, keyPrefix, newKey } from "../../src/core/accounts/keys.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY = /^mf_[0-9A-Za-z]{38}$/;

describe("API keys", () => {
  it("are mf_, 32 random and 6 checksum characters of base62, and are taken as such", () => {
    const keys = Array.from({ length: 500 }, newKey);
    for (const key of keys) {
      expect(key).toMatch(KEY);
      expect(isKeyShaped(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("end in the CRC32 of their random part, as base62", () => {
    const key = newKey();
    const value = key
      .slice(-6)
      .split("")
      .reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(3, -6)));
  });

  it("use every character of the alphabet", () => {
    const seen = new Set(Array.from({ length: 200 }, newKey).flatMap((key) => key.slice(3, -6).split("")));
    expect(seen.size).toBe(BASE62.length);
  });

  it("are refused with one character changed, wherever it stands", () => {
    fc.assert(
      fc.property(fc.nat(37), fc.constantFrom(...BASE62.split("")), (at, character) => {
        const key = newKey();
        const place = 3 + at;
        const changed = `${key.slice(0, place)}${character}${key.slice(place + 1)}`;
        expect(isKeyShaped(changed)).toBe(changed === key);
      }),
    );
  });

  it("are refused with two neighbours swapped", () => {
    fc.assert(
      fc.property(fc.nat(30), (at) => {
        const key = newKey();
        const place = 3 + at;
        const swapped = `${key.slice(0, place)}${key[place + 1]}${key[place]}${key.slice(place + 2)}`;
        expect(isKeyShaped(swapped)).toBe(swapped === key);
      }),
    );
  });

  it("are refused with anything before or after them", () => {
    for (const text of [
      ` ${newKey()}`,
      `${newKey()} `,
      `${newKey()}\n`,
      newKey().toUpperCase(),
      newKey().slice(1),
      "",
      "mf_",
    ]) {
      expect(isKeyShaped(text)).toBe(false);
    }
  });

  it("are refused for every other text", () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => !isKeyShaped(text)));
  });

  it("show six random characters of 32 in their prefix", () => {
    const key = newKey();
    expect(keyPrefix(key)).toBe(key.slice(0, 9));
  });
});
