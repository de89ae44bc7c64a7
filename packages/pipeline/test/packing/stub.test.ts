// Which stubs may be alternatives: those of the compilers may, and everything else is named.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { randomAstStubs, randomStackStubs } from "../../../../tests/support/kernel-stubs.js";
import { KERNELS } from "../../../../tests/support/kernels.js";
import { runSeed } from "../../../stack/test/support/random.js";
import { isPlainStub } from "../../src/packing/plain-stub.js";
import { stubObstacle } from "../../src/packing/stub.js";
import { kernelWith } from "./support/kernels.js";

const FUNC = kernelWith({}).injection("func");
const obstacle = (stub: string, axis: "y" | "z" = "z") => stubObstacle(stub, axis, FUNC);
const OPERANDS = new Set(["%_x0", "%_x1"]);

describe("fits:", () => {
  it.each([
    "",
    "{\n}",
    "\tadd.f32 %_x0, %_x1, %_x1;",
    "\t{\n\t.reg .f32 %t<2>;\n\tneg.f32 %t1, %_x1;\n\tmov.f32 %_x0, %t1;\n\t}",
    ".reg .pred %p, %q; setp.lt.f32 %p|%q, %_x1, 0f00000000; @!%p mov.f32 %_x0, %_x1; // done",
    "\tmov.f32 %_x0, %_x1;\n\t/* nothing; */",
    "{\n.reg .u32 %a, %b;\nmov.u32 %a, %tid.x;\nmov.u32 %b, %ctaid.x;\nmov.b32 %_x0, %a;\n}",
    "{\n.reg .b32 %a<4>;\nmov.v4.b32 {%a0, %a1, %a2, %a3}, %tid;\nmov.b32 %_x0, %a1;\n}",
    "{\n.reg .pred %p;\n$again:\nadd.f32 %_x0, %_x0, %_x1;\nsetp.lt.f32 %p, %_x0, 0f42000000;\n@%p bra $again;\n}",
    "\tbar.sync 0;\n\tshfl.sync.idx.b32 %_x0, %_x1, 0, 31, -1;",
  ])("%j", (stub) => {
    expect(obstacle(stub)).toBeUndefined();
  });

  it("what the compilers write, without being parsed", () => {
    const seed = runSeed();
    for (let i = 0; i < cases(300); i++) {
      const kernel = KERNELS[i % KERNELS.length]!;
      for (const make of [randomStackStubs(seed + i, kernel.target), randomAstStubs(seed + i)]) {
        for (const injection of kernel.annotated("macro").injections) {
          const stub = make(injection);
          const found = stubObstacle(stub, "z", injection);
          const operands = new Set(injection.operands.map(({ register }) => `%${register}`));
          const isSpecial = /%(?!_x\d|_s\d|ast\d)/.test(stub) || /\bmma\b/.test(stub);
          if (!isSpecial) expect(isPlainStub(stub, operands), `seed ${seed}, ${stub}`).toBe(true);
          if (found !== undefined) expect(found, `seed ${seed}`).toMatch(/^reads `%/);
        }
      }
    }
  });
});

describe("does not fit:", () => {
  it.each([
    ["mov.b32 %_x0, %ctaid.z;", "reads `%ctaid.z`, which counts alternatives"],
    ["mov.b32 %_x0, %nctaid.z;", "reads `%nctaid.z`, which counts alternatives"],
    [
      "{\n.reg .b32 %a<4>;\nmov.v4.b32 {%a0, %a1, %a2, %a3}, %ctaid;\n}",
      "reads `%ctaid`, which counts alternatives",
    ],
    ["mov.b32 %_x0, %clock;", "reads `%clock`, which may differ from launch to launch"],
    ["mov.b32 %_x0, %smid;", "reads `%smid`, which may differ from launch to launch"],
    ["mov.b32 %_x0, %warpid;", "reads `%warpid`, which may differ from launch to launch"],
    ["mov.b32 %_x0, %clusterid.x;", "reads `%clusterid`, which may differ from launch to launch"],
    ["mov.b32 %_x0, %cluster_ctarank;", "reads `%cluster_ctarank`, which may differ from launch to launch"],
    ["st.global.f32 [%rd5], %_x1;", "uses `st.global.f32`"],
    ["ld.global.f32 %_x0, [%rd5];", "uses `ld.global.f32`"],
    ["ld.param.u64 %_x0, [out];", "uses `ld.param.u64`"],
    ["atom.global.add.f32 %_x0, [%rd5], %_x1;", "uses `atom.global.add.f32`"],
    ["red.global.add.f32 [%rd5], %_x1;", "uses `red.global.add.f32`"],
    ["call twice;", "uses `call`"],
    ["exit;", "uses `exit`"],
    ["\t@%p1 ret;", "uses `ret`"],
    ["trap;", "uses `trap`"],
    ["brx.idx %_x0, $table;", "uses `brx.idx`"],
    ["bra $done;", "names `$done`, which is neither its own nor an operand"],
    ["mov.b32 %_x0, %r1;", "names `%r1`, which is neither its own nor an operand"],
    ["{\n.reg .b32 %r<2>;\nmov.b32 %_x0, %r2;\n}", "names `%r2`, which is neither its own nor an operand"],
    ["{\n.reg .b32 %r;\n}\nmov.b32 %_x0, %r;", "names `%r`, which is neither its own nor an operand"],
    [
      "add.u32 %_mm_alternative, %_mm_alternative, 1;",
      "names `%_mm_alternative`, which is neither its own nor an operand",
    ],
    [".shared .b32 tile;", "declares `tile` in memory"],
    ['.pragma "nounroll";', 'contains `.pragma "nounroll";`'],
    ["mov.b32 %_x0, %_x1", "contains mistakes"],
    ["}", "contains mistakes"],
    ["mapa.u32 %_x0, %_x1, 0;", "uses `mapa.u32`"],
  ])("%j", (stub, reason) => {
    expect(obstacle(stub)).toBe(reason);
  });

  it("only the axis that counts alternatives", () => {
    expect(obstacle("mov.b32 %_x0, %ctaid.z;", "y")).toBeUndefined();
    expect(obstacle("mov.b32 %_x0, %ctaid.y;", "y")).toBe("reads `%ctaid.y`, which counts alternatives");
  });
});

it("a stub is plain only if it fits", () => {
  const seed = runSeed();
  const piece = fc.constantFrom(
    ...[
      "\t{\n",
      "\t}\n",
      ".reg .f32 %t<2>;\n",
      "add.f32 %_x0, %_x1, %t1;\n",
      "mov.f32 ",
      "%t0",
      "%t2",
      "%_x0",
      ", ",
      ";",
    ],
    ...[
      "\n",
      " ",
      "%ctaid.z",
      "%r1",
      "st.global.f32 [%_x0], %_x1;\n",
      "// PTX",
      "/*",
      "*/",
      "0f3F800000",
      "@%p ",
      "$L: ",
      "bra $L;\n",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const stub = pieces.join("");
      if (!isPlainStub(stub, OPERANDS)) return;
      // The same instructions, written in a way that needs parsing.
      const other = `/**/${stub}`;
      expect(isPlainStub(other, OPERANDS)).toBe(false);
      const found = obstacle(other);
      expect(
        found === undefined || found === "contains mistakes" || found.startsWith("names "),
        `${found}: ${stub}`,
      ).toBe(true);
    }),
    { seed, numRuns: cases(20_000) },
  );
});
