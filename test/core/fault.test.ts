import { describe, expect, it } from "vitest";
import { AppError } from "../../src/core/errors.ts";
import { faultOf } from "../../src/core/observe/fault.ts";

const SECRET = "what a caller sent";

describe("an error as logs tell it", () => {
  it("has its type, its code and its place, and no words of its own", () => {
    class Broken extends TypeError {
      override readonly name = "Broken";
      readonly code = "E_BROKEN";
    }
    const fault = faultOf(new Broken(`${SECRET}\n    over two lines`));
    expect(fault).toMatchObject({ type: "Broken", code: "E_BROKEN" });
    expect(fault.at[0]).toContain("fault.test.ts");
    expect(JSON.stringify(fault)).not.toContain(SECRET);
  });

  it("keeps the words that the platform and the operating system chose", () => {
    expect(faultOf(new AppError("unavailable", "The database is away."))).toMatchObject({
      code: "unavailable",
      message: "The database is away.",
    });
    const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), {
      code: "ECONNREFUSED",
      syscall: "connect",
    });
    expect(faultOf(refused).message).toBe("connect ECONNREFUSED 127.0.0.1:1");
  });

  it("names no host that was looked up: it may be where a caller wants something sent", () => {
    const unknown = Object.assign(new Error("getaddrinfo ENOTFOUND hooks.example"), {
      code: "ENOTFOUND",
      syscall: "getaddrinfo",
      hostname: "hooks.example",
    });
    expect(JSON.stringify(faultOf(unknown))).not.toContain("hooks.example");
  });

  it("tells its causes in the same way, and not for ever", () => {
    const cause: Error = new SyntaxError(SECRET);
    cause.cause = cause;
    const fault = faultOf(new Error(SECRET, { cause }));
    expect(fault.cause?.type).toBe("SyntaxError");
    expect(JSON.stringify(fault)).not.toContain(SECRET);
  });

  it.each([SECRET, { message: SECRET }, undefined, null])(
    "says of %j, which is no error, its type",
    (thrown) => {
      expect(faultOf(thrown)).toEqual({ type: typeof thrown, at: [] });
    },
  );
});
