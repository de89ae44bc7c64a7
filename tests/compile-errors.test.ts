// A mistake in a stub is traced from the stub to the line of CUDA at which it was injected: one message
// combines the places that nvcc, PTX Inject and the compiler know.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { capabilities, PtxCompiler } from "../packages/cuda/dist/index.js";
import { parsePtx } from "../packages/inject/dist/index.js";
import { ROOT } from "./support/workspace.js";

const COMPILES = capabilities().backends.some(({ available }) => available);

it.runIf(COMPILES).each([
  ["macro", 5],
  ["comment", 6],
])("an error in a stub of line-info/%s.ptx names line %d of its source", async (name, line) => {
  const template = parsePtx(
    readFileSync(join(ROOT, `tests/kernels/line-info/${name}.ptx`), "utf8"),
  ).template();
  const compiler = new PtxCompiler({ arch: "sm_80", cache: false, lineInfo: true });
  try {
    const bound = "\tmin.f32 %_x0, %_x0, %_x1;\n\tmax.f32 %_x0, %_x0, %x2;";
    const [failed, compiled] = await compiler.compileAll([
      { template, stubs: { bound } },
      { template, stubs: { bound: bound.replace("%x2", "%_x1") } },
    ]);
    const message = failed?.ok === false ? failed.error.message : "";
    expect(message.split("\n")).toEqual([
      `PTX does not compile for \`sm_80\`: injection \`bound\`, site 1, stub line 2 (${name}.cu:${line}): Unknown symbol '%x2' (and 1 more)`,
      "    2 | \tmax.f32 %_x0, %_x0, %x2;",
      "      | \t                    ^^^",
      "hint: the registers of the site are `%_x0`, `%_x1`",
    ]);
    expect(compiled).toMatchObject({ ok: true, kernels: [{ name: "clamp_all", parameters: { length: 3 } }] });
  } finally {
    compiler.dispose();
  }
});
