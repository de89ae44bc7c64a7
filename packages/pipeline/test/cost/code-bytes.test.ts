// Bytes of machine code by injection, and what both functions refuse.
import { inspectCubin } from "@mm-ptx/cuda";
import { expect, test } from "vitest";
import { codeBytesOfSites, sassCost } from "../../src/index.js";
import { compiled, filled, HAS_COMPILER } from "./support/kernel.js";

const STUBS = {
  empty: "mov.f32 %_x1, %_x0;",
  one: "ex2.approx.ftz.f32 %_x1, %_x0;",
  // The assembler fuses the multiplication with the addition after it.
  three: "add.f32 %_x1, %_x0, %_x0;\nmul.f32 %_x1, %_x1, %_x0;\nadd.f32 %_x1, %_x1, 0f3f99999a;",
};

test.runIf(HAS_COMPILER).each(["sm_75", "sm_90", "sm_120"])(
  "%s: bytes are those of the instructions, and padding counts for nobody",
  async (arch) => {
    const kernel = filled(STUBS);
    const { cubin } = await compiled(kernel, arch);
    expect(codeBytesOfSites(cubin, kernel)).toEqual(
      new Map([
        ["empty", 0],
        ["one", 16],
        ["three", 32],
      ]),
    );
  },
);

test.runIf(HAS_COMPILER)("lines of the PTX do not change the machine code", async () => {
  const kernel = filled(STUBS);
  const [plain, lined] = [
    await compiled(kernel, "sm_90", { lineInfo: false }),
    await compiled(kernel, "sm_90"),
  ];
  const codeOf = (cubin: Uint8Array) => inspectCubin(cubin).kernels.map(({ code }) => code);
  expect(codeOf(lined.cubin)).toEqual(codeOf(plain.cubin));
});

test.runIf(HAS_COMPILER)("a cubin without lines is refused if sites are asked for", async () => {
  const kernel = filled(STUBS);
  const { cubin } = await compiled(kernel, "sm_90", { lineInfo: false });
  const expected = {
    name: "PipelineError",
    code: "INVALID_ARGUMENT",
    message: "expected a cubin with the lines of its PTX, compiled with `lineInfo: true`, found one without",
  };
  expect(() => codeBytesOfSites(cubin, kernel)).toThrow(expect.objectContaining(expected));
  await expect(sassCost(cubin, { filled: kernel })).rejects.toMatchObject(expected);
});

test("arguments of other kinds are refused", async () => {
  const refused = async (...args: readonly unknown[]): Promise<string> => {
    const error = await (sassCost as (...all: readonly unknown[]) => Promise<unknown>)(...args).catch(
      (thrown: unknown) => thrown,
    );
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  };
  const cubin = new Uint8Array();
  expect(await refused(null)).toBe("INVALID_ARGUMENT: expected a cubin or a compiled module, found null");
  expect(await refused({ cubin: "text" })).toMatch(
    /^INVALID_ARGUMENT: expected a cubin or a compiled module/,
  );
  expect(await refused(cubin)).toMatch(/^INVALID_CUBIN: /);
  expect(await refused(cubin, { filed: 1 })).toBe(
    "INVALID_ARGUMENT: unknown option `filed`, did you mean `filled`?",
  );
  expect(await refused(cubin, { signal: 1 })).toBe(
    "INVALID_ARGUMENT: option `signal`: expected an AbortSignal, found 1",
  );
  expect(await refused(cubin, { kernel: 1 })).toMatch(/^INVALID_ARGUMENT: option `kernel`/);
  expect(await refused(cubin, { timeoutMs: 0 })).toMatch(/^INVALID_ARGUMENT: option `timeoutMs`/);
  if (!HAS_COMPILER) return;
  const module = await compiled(filled(STUBS), "sm_90");
  expect(await refused(module, { filled: "text" })).toBe(
    "INVALID_ARGUMENT: expected a filled kernel or a pack as `filled`, found `text`",
  );
});
