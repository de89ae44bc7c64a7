// Checks what the programs compute in the kernel. It runs on the CPU and needs no GPU.
import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "./kernel.js";
import { programs } from "./programs.js";

const XS = [-2, -1, -0.5, 0, 0.5, 1, 2];
const FORMULAS: Record<string, (x: number) => number> = {
  "x * x + 1": (x) => x * x + 1,
  "max(x, 0)": (x) => Math.max(x, 0),
  "sin(x)": (x) => Math.sin(x),
};

for (const [name, program] of Object.entries(programs)) {
  test(`the kernel computes ${name}`, async () => {
    const ys = await evaluate(program, XS);
    XS.forEach((x, index) => {
      // `sin.approx` is exact to about 2^-20 here.
      assert.ok(Math.abs(ys[index]! - FORMULAS[name]!(x)) < 1e-6, `${name} of ${x} is ${ys[index]}`);
    });
  });
}

test("a program without one of its instructions is a program", async () => {
  const program = programs["x * x + 1"]!;
  for (let index = 0; index < program.length; index++) {
    const ys = await evaluate(program.splice(index, 1), XS);
    assert.equal(ys.length, XS.length);
  }
});
