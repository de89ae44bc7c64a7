// Texts of extreme length that are not kernels.

import { afterAll, describe, expect, test } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import { PtxCompileError, PtxCompiler } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { module } from "../support/ptx.js";

const LENGTH = smoke(100_000_000);
const filled = (piece: string): string => piece.repeat(Math.ceil(LENGTH / piece.length));

describe.each(BACKENDS)("megabytes with backend %s", { timeout: 300_000 }, (backend) => {
  const compiler = new PtxCompiler({ arch: "sm_80", backend, cache: false, workers: 1 });
  afterAll(() => compiler[Symbol.dispose]());
  const code = (ptx: string | Uint8Array): Promise<string> =>
    compiler.compile(ptx).then(
      () => "ok",
      (error: PtxCompileError) => {
        expect(error).toBeInstanceOf(PtxCompileError);
        expect(error.message.length).toBeLessThan(1000);
        return error.code;
      },
    );

  test.each<[string, string, () => string | Uint8Array]>([
    ["of comments after a kernel", "ok", () => module() + filled("// a line of comment of some length\n")],
    ["of words", "SYNTAX", () => filled("no ptx ")],
    ["of braces after a kernel", "SYNTAX", () => module() + filled("{")],
    ["of one word", "INVALID_ARGUMENT", () => filled("a")],
    ["of zeros", "INVALID_ARGUMENT", () => new Uint8Array(LENGTH)],
    ["with a non-ASCII byte at the end", "INVALID_ARGUMENT", () => `${module()}${filled("// \n")}ä`],
  ])("%s: %s", async (_, expected, text) => {
    expect(await code(text())).toBe(expected);
    expect(await code(module())).toBe("ok");
  });
});
