// The kernel of fma.rn.f32 in relaxed vector instructions, which only some engines have. What it computes is compared like other kernels
// in webassembly.test.ts, wherever it is used.
import { bytesOfHex } from "@mm-ptx/types/internal";
import { expect, it } from "vitest";
import { addKernel } from "../../src/machine/core-kernels.js";
import { fusedKernel } from "../../src/machine/relaxed.js";
import { MODULE } from "../../src/wasm/relaxed.js";

/** Node 20 has the instructions behind a flag, which other tests of this process may have set. */
const HAS_THEM = Number(process.versions.node.split(".")[0]) >= 22;

it("is used where engines have the instructions", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const table = new WebAssembly.Table({ initial: 3, element: "anyfunc" });
  const index = fusedKernel(memory, table);
  if (HAS_THEM) expect(WebAssembly.validate(bytesOfHex(MODULE))).toBe(true);
  if (index === undefined) {
    expect(HAS_THEM).toBe(false);
    expect(table.length).toBe(3);
  } else {
    expect(index).toBe(3);
    expect(addKernel(table, table.get(3))).toBe(4);
  }
});
