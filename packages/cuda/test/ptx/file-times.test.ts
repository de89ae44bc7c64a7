// `.file` directives: the compiler learns nothing about the files that they name, so cubins are equal on every machine.

import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inspectCubin, Linker, PtxCompiler, type PtxJob } from "../../src/index.js";
import { withFileTimes } from "../../src/ptx/file-times.js";
import { BACKENDS } from "../support/backends.js";
import { JITLINK } from "../support/cuda.js";

/** What native/test/file_times_test.cpp reads, too. */
const CASES = new URL("../../../../native/test/file_times_cases.txt", import.meta.url);
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f" };
const unescaped = (line: string): string =>
  line.replace(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? sign);

test("directives without a time get one, and nothing else changes", () => {
  const lines = readFileSync(CASES, "utf8").split("\n").slice(0, -1).map(unescaped);
  expect(lines.length).toBeGreaterThan(100);
  for (let i = 0; i < lines.length; i += 2) {
    expect(withFileTimes(lines[i]!)).toBe(lines[i + 1]);
    expect(withFileTimes(lines[i + 1]!)).toBe(lines[i + 1]);
  }
});

let folder = "";
let source = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mm-ptx-file-"));
  source = join(folder, "kernel.cu");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ptxWith = (directive: string): string => `.version 8.0
.target sm_75
.address_size 64
${directive}
.visible .entry k(.param .u64 out)
{
  .reg .b64 %rd<3>;
  .loc 1 3 0
  ld.param.u64 %rd1, [out];
  st.global.u64 [%rd1], %rd1;
  ret;
}
`;

/** States of the named file. */
const STATES: readonly (() => void)[] = [
  () => rmSync(source, { force: true }),
  () => writeFileSync(source, "short"),
  () => {
    writeFileSync(source, "of another size");
    utimesSync(source, 1_000_000_000, 1_000_000_000);
  },
];

/** The cubins of a job, one for each state of the file. */
async function cubinsOf(compile: () => Promise<Uint8Array>): Promise<Uint8Array[]> {
  const cubins: Uint8Array[] = [];
  for (const change of STATES) {
    change();
    cubins.push((await compile()).slice());
  }
  return cubins;
}

/** What follows the file's name in the line table: the numbers of its folder, time and size. */
function entryOf(cubin: Uint8Array): number[] {
  const { bytes } = inspectCubin(cubin).sections.find(({ name }) => name === ".debug_line")!;
  const name = "kernel.cu\0";
  const at = Buffer.from(bytes).indexOf(name) + name.length;
  return [...bytes.subarray(at, at + 3)];
}

describe.each(BACKENDS.map((backend) => [backend]))("%s", (backend) => {
  const jobs: Readonly<Record<string, () => PtxJob>> = {
    text: () => ptxWith(`.file 1 "${source}"`),
    bytes: () => Buffer.from(ptxWith(`.file 1 "${source}"`)),
    "a time of zero": () => ptxWith(`.file 1 "${source}", 0, 0`),
    "a template with parts of the directive in its stubs": () => {
      const [start = "", end = ""] = ptxWith(".fi|").split("|");
      const kernelLine = start.split("\n").length;
      const lines = [1, kernelLine, kernelLine].map((first, part) => ({
        kernelLine: first,
        lines: [start, "", end][part]!.split("\n").length - 1,
        head: 0,
        tail: 0,
      }));
      return {
        template: { segments: [start, " ", end], holes: [0, 1], names: ["number", "path"], lines },
        stubs: { number: "le 1", path: `"${source}"` },
      };
    },
  };
  test.each(Object.keys(jobs))("cubins do not depend on files: %s", async (name) => {
    using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false, lineInfo: true, workers: 1 });
    const cubins = await cubinsOf(async () => (await compiler.compile(jobs[name]!())).cubin);
    for (const cubin of cubins) expect(Buffer.from(cubin).equals(cubins[0]!)).toBe(true);
    const { kernels } = inspectCubin(cubins[0]!);
    expect(kernels[0]!.lines[0]).toMatchObject({ file: source, line: 3 });
    expect(entryOf(cubins[0]!).slice(1, 2)).toEqual([1]);
  });

  test("other directives stay as they are", async () => {
    using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false, lineInfo: true, workers: 1 });
    const { cubin } = await compiler.compile(ptxWith(`.file 1 "${source}", 77, 99`));
    expect(entryOf(cubin)).toEqual([1, 77, 99]);
  });

  test("errors have the places of the text as it was written", async () => {
    using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false, workers: 1 });
    const ptx = ptxWith(`.file 1 "${source}" .global .u32 a, a;`);
    const { diagnostics, message } = await compiler.compile(ptx).then(
      () => expect.fail("it compiled"),
      (error) => error,
    );
    expect(diagnostics[0]).toMatchObject({ line: 4 });
    expect(message).toContain(`    4 | .file 1 "${source}" .global .u32 a, a;\n`);
  });
});

test.runIf(BACKENDS.length > 1)("all backends give the same line tables", async () => {
  writeFileSync(source, "a source");
  const tables = await Promise.all(
    BACKENDS.map(async (backend) => {
      using compiler = new PtxCompiler({ arch: "sm_90", backend, cache: false, lineInfo: true, workers: 1 });
      const { cubin } = await compiler.compile(ptxWith(`.file 1 "${source}"`));
      const { sections } = inspectCubin(cubin);
      return sections
        .filter(({ name }) => name.startsWith(".debug_line"))
        .map(({ bytes }) => Buffer.from(bytes).toString("hex"));
    }),
  );
  expect(tables[0]).not.toEqual([]);
  for (const table of tables) expect(table).toEqual(tables[0]);
});

test.runIf(JITLINK)(
  "a linker's cubins do not depend on the files that PTX names",
  { timeout: 60_000 },
  async () => {
    using linker = new Linker({ workers: 1 });
    const cubins = await cubinsOf(
      async () =>
        (await linker.link([{ ptx: ptxWith(`.file 1 "${source}"`) }], { arch: "sm_90", lineInfo: true }))
          .cubin,
    );
    for (const cubin of cubins) expect(Buffer.from(cubin).equals(cubins[0]!)).toBe(true);
    expect(entryOf(cubins[0]!).slice(1, 2)).toEqual([1]);
  },
);
