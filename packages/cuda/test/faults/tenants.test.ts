// Compilers of different tenants: no result of one reaches another, whatever happens to a worker.

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { PtxCompiler, type PtxCompilerOptions } from "../../src/index.js";
import { ISOLATED } from "../support/backends.js";
import { module } from "../support/ptx.js";

const folder = mkdtempSync(join(tmpdir(), "mm-ptx-tenants-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fromOf = async (options: Partial<PtxCompilerOptions>): Promise<string> => {
  await using compiler = new PtxCompiler({ arch: "sm_90", workers: 1, cache: { folder }, ...options });
  return (await compiler.compile(module())).info.from;
};

describe.runIf(ISOLATED)("a tenant", () => {
  it("finds only what compilers of the same tenant have stored", async () => {
    expect(await fromOf({})).toBe("compiled");
    expect(await fromOf({ tenant: "ann" })).toBe("compiled");
    expect(await fromOf({ tenant: "Ann" })).toBe("compiled");
    expect(await fromOf({ tenant: "ann" })).toBe("cache");
    expect(await fromOf({})).toBe("cache");
    // Even in the same folder.
    const [first] = readdirSync(join(folder, "tenants"));
    expect(await fromOf({ cache: { folder: join(folder, "tenants", first!) } })).toBe("compiled");
    expect(readdirSync(join(folder, "tenants"))).toHaveLength(2);
  });

  it("is another one if its text differs at all", async () => {
    expect(await fromOf({ tenant: "bob\ud800" })).toBe("compiled");
    expect(await fromOf({ tenant: "bob\ud801" })).toBe("compiled");
    expect(await fromOf({ tenant: "bob\ufffd" })).toBe("compiled");
  });

  it("can be any text, and needs worker processes", () => {
    using strange = new PtxCompiler({ arch: "sm_90", tenant: "../../etc\0🙂" });
    expect(strange.backend).toBe("isolated");
    for (const tenant of ["", "x".repeat(257), 7, null])
      expect(() => new PtxCompiler({ arch: "sm_90", tenant: tenant as string })).toThrow(
        "option `tenant`: expected a text of 1 to 256 characters",
      );
    expect(() => new PtxCompiler({ arch: "sm_90", tenant: "a", backend: "in-process" })).toThrow(
      "options `tenant` and `backend`: expected the backend `isolated` or `nvjitlink`, since only they support tenants",
    );
  });
});
