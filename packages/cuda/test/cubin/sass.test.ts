// Machine code as text, with nvdisasm; errors without it. The tool also verifies the line tables.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { findDisassembler } from "../../src/cubin/disassembler.js";
import { type CodeLine, disassembleSass, inspectCubin } from "../../src/index.js";
import { BACKENDS } from "../support/backends.js";
import { compiled, ptxFile } from "../support/cubins.js";

const TOOL = findDisassembler().found;
const folders: string[] = [];

afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "mm-ptx-sass-test-"));
  folders.push(folder);
  return folder;
}

/** A program that is found before all others, and runs a script. */
function fakeTool(script: string): void {
  const path = join(temporary(), "nvdisasm");
  writeFileSync(path, `#!/bin/sh\nif [ "$1" = --version ]; then echo V1.2.3; exit; fi\n${script}\n`);
  chmodSync(path, 0o755);
  vi.stubEnv("MM_PTX_NVDISASM", path);
}

describe.runIf(BACKENDS.length > 0 && TOOL !== undefined)("with a disassembler", () => {
  test.each(["sm_75", "sm_90a", "sm_120"])("%s: returns every instruction of every kernel", async (arch) => {
    const { cubin } = await compiled(ptxFile("rich"), arch);
    const { tool, functions, text } = await disassembleSass(cubin);
    expect(tool).toEqual(TOOL);
    expect(text).toContain("EXIT");
    const { kernels } = inspectCubin(cubin);
    expect(functions.map(({ name }) => name).sort()).toEqual(kernels.map(({ name }) => name).sort());
    for (const { name, instructions } of functions) {
      const { code } = kernels.find((kernel) => kernel.name === name)!;
      // 16 bytes each, without gaps.
      expect(instructions.map(({ offset }) => offset)).toEqual(
        [...Array(code.length / 16).keys()].map((i) => 16 * i),
      );
      expect(instructions.some((each) => /^(?:@!?U?P\d )?EXIT$/.test(each.text))).toBe(true);
    }
    const labels = functions.flatMap(({ instructions }) => instructions.flatMap((each) => each.labels));
    expect(labels).toContain("$scale$twice");
  });

  test("returns one kernel alone", async () => {
    const { cubin } = await compiled(ptxFile("rich"), "sm_90");
    const { functions } = await disassembleSass(cubin, { kernel: "second" });
    expect(functions.map(({ name }) => name)).toEqual(["second"]);
    expect(functions[0]!.instructions.map(({ text }) => text).join("\n")).toMatch(/BAR\.SYNC\S* 0x3/);
  });

  test.runIf(TOOL?.name === "nvdisasm").each([
    ["sm_75", "-g", "lines"],
    ["sm_90", "-g", "lines"],
    ["sm_120", "-g", "lines"],
    ["sm_75", "-gp", "ptxLines"],
    ["sm_100a", "-gp", "ptxLines"],
  ] as const)("%s: lines are those of nvdisasm %s", async (arch, option, table) => {
    const { cubin } = await compiled(ptxFile("inlined"), arch, { lineInfo: true });
    const file = join(temporary(), "k.cubin");
    writeFileSync(file, cubin);
    const { stdout } = spawnSync(TOOL!.path, ["-c", option, file], { encoding: "utf8" });
    const [kernel] = inspectCubin(cubin).kernels;
    const known = new Map(kernel![table].map((line) => [line.offset, line]));
    let current: string | undefined;
    const told: [number, string | undefined][] = [];
    const ours: [number, string | undefined][] = [];
    let line: CodeLine | undefined;
    for (const text of stdout.split("\n")) {
      const place = /\/\/## File "([^"]*)", line (\d+)/.exec(text);
      if (place !== null) current = place[2];
      const at = /^\s+\/\*([0-9a-f]{4})\*\//.exec(text);
      if (at === null) continue;
      const offset = Number.parseInt(at[1]!, 16);
      line = known.get(offset) ?? line;
      told.push([offset, current]);
      ours.push([offset, line === undefined ? undefined : String(line.line)]);
    }
    expect(told.length).toBeGreaterThan(5);
    expect(ours).toEqual(told);
  });

  test("reports a cubin that the tool rejects", async () => {
    const { cubin } = await compiled(ptxFile("rich"), "sm_90");
    const copy = cubin.slice();
    // An architecture that does not exist.
    copy[49] = 1;
    await expect(disassembleSass(copy)).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: expect.stringMatching(/^expected a listing from \w+, found /),
    });
  });
});

describe.runIf(BACKENDS.length > 0)("another program in place of the disassembler", () => {
  const cubin = async () => (await compiled(ptxFile("rich"), "sm_90")).cubin;

  test.skipIf(process.platform === "win32")("may print anything", async () => {
    fakeTool(
      `printf '\\t.section .text.scale,"ax"\\nscale:\\n        /*0000*/  @P0 BRA \`(.L_x_0) ;\\n.L_x_0:\\n        /*0010*/  EXIT;\\n'`,
    );
    expect((await disassembleSass(await cubin())).functions).toEqual([
      {
        name: "scale",
        instructions: [
          { offset: 0, text: "@P0 BRA (.L_x_0)", labels: ["scale"] },
          { offset: 16, text: "EXIT", labels: [".L_x_0"] },
        ],
      },
    ]);
    fakeTool("echo nothing of the kind");
    expect((await disassembleSass(await cubin())).functions).toEqual([]);
  });

  test.skipIf(process.platform === "win32")(
    "is asked for its version once, and again when it is another",
    async () => {
      const bytes = await cubin();
      const asked = join(temporary(), "asked");
      const path = join(temporary(), "nvdisasm");
      const write = (version: string, changed: number) => {
        writeFileSync(
          path,
          `#!/bin/sh\nif [ "$1" = --version ]; then echo asked >>${asked}; echo V${version}; fi\n`,
        );
        chmodSync(path, 0o755);
        utimesSync(path, changed, changed);
      };
      vi.stubEnv("MM_PTX_NVDISASM", path);
      const versions: string[] = [];
      write("1.2.3", 1000);
      for (let call = 0; call < 3; call++) versions.push((await disassembleSass(bytes)).tool.version);
      write("4.5.6", 2000);
      versions.push((await disassembleSass(bytes)).tool.version);
      expect(versions).toEqual(["1.2.3", "1.2.3", "1.2.3", "4.5.6"]);
      expect(readFileSync(asked, "utf8")).toBe("asked\nasked\n");
    },
  );

  test.skipIf(process.platform === "win32")("may fail, time out or be aborted", async () => {
    const bytes = await cubin();
    fakeTool("echo no such thing as $3 >&2; exit 3");
    await expect(disassembleSass(bytes)).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "expected a listing from nvdisasm, found no such thing as the cubin",
    });
    fakeTool("exec sleep 1000");
    await expect(disassembleSass(bytes, { timeoutMs: 50 })).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "expected a listing from nvdisasm, found no result within 50 ms",
    });
    const controller = new AbortController();
    const started = join(temporary(), "started");
    fakeTool(`touch ${started}; exec sleep 1000`);
    const call = disassembleSass(bytes, { signal: controller.signal });
    while (!existsSync(started)) await pause(5);
    controller.abort("enough");
    const stopped = {
      code: "TOOL_FAILED",
      message: "the disassembler was stopped by its signal",
      cause: "enough",
    };
    await expect(call).rejects.toMatchObject(stopped);
    await expect(disassembleSass(bytes, { signal: controller.signal })).rejects.toMatchObject(stopped);
    const late = new AbortController();
    const begun = disassembleSass(bytes, { signal: late.signal });
    late.abort("enough");
    await expect(begun).rejects.toMatchObject(stopped);
  });
});

test("invalid options and cubins are rejected before any search", async () => {
  vi.stubEnv("PATH", "");
  const refused = async (cubin: unknown, options?: unknown): Promise<{ code: string; message: string }> => {
    const error: unknown = await disassembleSass(cubin as never, options as never).catch(
      (thrown: unknown) => thrown,
    );
    return error as { code: string; message: string };
  };
  expect(await refused(new Uint8Array(4))).toMatchObject({ code: "INVALID_CUBIN" });
  const cases: [unknown, string][] = [
    [null, "expected options as an object, found null"],
    [{ kernle: "k" }, "unknown option `kernle`, did you mean `kernel`?"],
    [{ kernel: 3 }, "option `kernel`: expected the name of a kernel, found 3"],
    [{ timeoutMs: 0 }, "option `timeoutMs`: expected a whole number from 1 to 2147483647, found 0"],
    [{ signal: {} }, "option `signal`: expected an AbortSignal, found an object"],
  ];
  for (const [options, message] of cases) {
    expect(await refused(new Uint8Array(), options)).toMatchObject({ code: "INVALID_ARGUMENT", message });
  }
  if (BACKENDS.length > 0) {
    expect(
      await refused((await compiled(ptxFile("rich"), "sm_90")).cubin, { kernel: "scael" }),
    ).toMatchObject({
      code: "NOT_FOUND",
      message: "expected a kernel of the cubin, found `scael`, did you mean `scale`?",
    });
  }
});
