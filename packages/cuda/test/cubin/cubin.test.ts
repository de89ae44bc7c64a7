// Cubins as ELF files: compared with those of ptxas, section by section, and refused if they are corrupt.

import { ARCHITECTURES } from "@mm-ptx/ptx";
import { describe, expect, test } from "vitest";
import { CubinError, diffMachineCode, findPtxas, PtxCompiler, readCubin } from "../../src/index.js";
import { BACKENDS, IN_PROCESS, PTXAS } from "../support/backends.js";
import { module, slowModule } from "../support/ptx.js";

describe.runIf(IN_PROCESS && PTXAS)("the library matches ptxas of its version", () => {
  test.each(ARCHITECTURES.map(({ name }) => name))("%s", async (arch) => {
    using library = new PtxCompiler({ cache: false, arch, backend: "in-process", workers: 1 });
    using assembler = new PtxCompiler({ cache: false, arch, backend: "ptxas", workers: 1 });
    expect(library.version).toBe(findPtxas()?.version);
    const ours = await library.compile(slowModule(2));
    const theirs = await assembler.compile(slowModule(2));
    expect(diffMachineCode(ours.cubin, theirs.cubin)).toEqual([]);
    expect(readCubin(ours.cubin).arch).toBe(arch);
    expect(new Set(readCubin(ours.cubin).entries)).toEqual(new Set(["k0", "k1"]));
    expect(readCubin(theirs.cubin).arch).toBe(arch);
    expect(ours.info.kernels).toEqual(theirs.info.kernels);
  });

  test.each([{ effort: "balanced" }, { effort: "draft" }, { maxRegisters: 24 }, { lineInfo: true }] as const)(
    "with %o",
    async (options) => {
      using library = new PtxCompiler({ cache: false, arch: "sm_90", backend: "in-process", ...options });
      using assembler = new PtxCompiler({ cache: false, arch: "sm_90", backend: "ptxas", ...options });
      const ptx = slowModule(3);
      const [ours, theirs] = await Promise.all([library.compile(ptx), assembler.compile(ptx)]);
      // With line information the input's name is in the cubin.
      const differing = diffMachineCode(ours.cubin, theirs.cubin).filter(
        (name) => !name.startsWith(".debug"),
      );
      expect(differing).toEqual([]);
    },
  );
});

test.each([
  ["null", null, "null"],
  ["nothing", undefined, "undefined"],
  ["text", "abc", "`abc`"],
  ["an ArrayBuffer", new ArrayBuffer(100), "an object of ArrayBuffer"],
  ["words", new Uint16Array(100), "an object of Uint16Array"],
])("%s is not a cubin", (_, value, found) => {
  const error = expect.objectContaining({
    code: "INVALID_ARGUMENT",
    message: `expected a cubin as a Uint8Array, found ${found}`,
  });
  expect(() => readCubin(value as never)).toThrow(error);
  expect(() => diffMachineCode(value as never, new Uint8Array())).toThrow(error);
});

describe.runIf(BACKENDS.length > 0)("reading cubins", () => {
  const compile = async (ptx: string, arch = "sm_90") => {
    using compiler = new PtxCompiler({ cache: false, arch });
    return (await compiler.compile(ptx)).cubin;
  };

  test("names sections that differ", async () => {
    const one = await compile(module());
    expect(diffMachineCode(one, await compile(module()))).toEqual([]);
    const other = await compile(module("scale", "\tmul.f32 %f2, %f2, %f1;\n"));
    expect(diffMachineCode(one, other)).toContain(".text.scale");
    expect(diffMachineCode(one, await compile(module("other")))).toEqual(
      expect.arrayContaining([".text.scale", ".text.other", ".strtab"]),
    );
    expect(diffMachineCode(one, await compile(module(), "sm_100"))).toContain("ELF header");
  });

  test("device functions are not entries", async () => {
    const ptx = module("k", "\tcall helper;\n").replace(
      ".visible",
      ".visible .func helper\n{\n\tret;\n}\n.visible",
    );
    expect(readCubin(await compile(ptx)).entries).toEqual(["k"]);
  });

  test("every truncated cubin and other kinds of bytes are rejected", async () => {
    const cubin = await compile(module());
    const cuts = Array.from({ length: 60 }, (_, i) => cubin.subarray(0, Math.floor((i * cubin.length) / 61)));
    const patched = (at: number, byte: number) => {
      const copy = cubin.slice();
      copy[at] = byte;
      return copy;
    };
    const others = [
      new Uint8Array(200),
      Buffer.from("hello"),
      patched(4, 1),
      patched(18, 62),
      patched(44, 255),
    ];
    for (const bytes of [...cuts, ...others]) {
      try {
        readCubin(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(CubinError);
        expect((error as CubinError).message).toMatch(/^expected .*, found /);
        continue;
      }
      expect.unreachable(`${bytes.length} bytes were taken for a cubin`);
    }
  });

  test("any altered byte gives a result or a typed error", async () => {
    const cubin = await compile(module());
    for (let at = 0; at < cubin.length; at += 7) {
      const copy = cubin.slice();
      copy[at] = (copy[at]! ^ 0xa5) & 0xff;
      try {
        readCubin(copy);
      } catch (error) {
        expect(error).toBeInstanceOf(CubinError);
      }
    }
  });
});
