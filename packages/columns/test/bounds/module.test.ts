// Without the WebAssembly module of disturbed instructions, they run in JavaScript.
import { expect, it, vi } from "vitest";
import { evaluateBatch } from "../../src/index.js";
import { operandsFor } from "../support/approximate-operands.js";
import { unaryCode } from "../support/unary-codes.js";

vi.mock("../../src/wasm/bounds.js", () => ({ MODULE: "00" }));

it.each(["sin.approx.f32", "rcp.approx.ftz.f32", "lg2.approx.ftz.f32"])("%s", async (instruction) => {
  const code = unaryCode(`${instruction} %y, %x;`);
  const columns = operandsFor(instruction, 3000);
  const options = { bounds: "ptx", seed: 3, outputs: true } as const;
  const there = await evaluateBatch(code, columns, options);
  const here = await evaluateBatch(code, columns, { ...options, webAssembly: false });
  const nearest = await evaluateBatch(code, columns, { outputs: true });
  const [found, expected, undisturbed] = [there, here, nearest].map(
    ({ outputs }) => new Uint32Array(outputs!.buffer),
  );
  expect(found).toEqual(expected);
  expect(found).not.toEqual(undisturbed);
});
