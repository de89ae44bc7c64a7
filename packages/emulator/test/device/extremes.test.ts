// Kernels that no translation can hold: trees of calls that are too large to inline, chains of calls that
// would overflow the stack, thousands of nested branches. The interpreter runs all of them.
import { describe, expect, it } from "vitest";
import { cases } from "../../../../tests/support/counts.js";
import { EmulatedDevice } from "../../src/index.js";

/** Functions that each call the one before `calls` times, and a kernel that calls the last. */
const tree = (functions: number, times: number, body = "") => `.version 9.0
.target sm_90
.address_size 64
${Array.from({ length: functions }, (_, i) => {
  const calls = i === 0 ? "" : `call f${i - 1}; `.repeat(times);
  return `.func f${i}() { .reg .b32 %r<4>; ${body} ${calls}ret; }`;
}).join("\n")}
.visible .entry k() { call f${functions - 1}; ret; }
`;

async function run(text: string, engine: "webassembly" | "interpreter" | "auto", instructions = 100_000) {
  using device = EmulatedDevice.open({ engine });
  const kernel = device.load(text).kernel("k");
  const options = { grid: 1, block: 1, limits: { instructions } };
  return device.stream.run(kernel, options, []).then(
    ({ engine: ran }) => ran,
    ({ code, message }) => `${code} ${message}`,
  );
}

describe("calls", () => {
  it.each([
    ["of functions without instructions of their own", 26, ""],
    ["of functions with registers", 13, "add.u32 %r1, %r2, 1;"],
  ])("that double at each of many levels are not inlined: %s", async (_, levels, body) => {
    const text = tree(levels, 2, body);
    expect(await run(text, "webassembly")).toBe(
      "UNSUPPORTED expected a kernel `k` that WebAssembly can run, found it has too many instructions after its calls are inlined",
    );
    expect(await run(text, "auto")).toMatch(levels > 20 ? /^BUDGET kernel `k`: / : /^interpreter$/);
  });

  it("may be a chain of any length", async () => {
    const text = tree(Math.max(4000, cases(20_000)), 1);
    expect(await run(text, "auto")).toBe("interpreter");
    expect(await run(text, "webassembly")).toMatch(/^UNSUPPORTED .* are nested too deeply$/);
  });
});

const body = (lines: readonly string[]) => `.version 9.0
.target sm_90
.address_size 64
.visible .entry k()
{
	.reg .b32 %r<3>;
	.reg .pred %p<2>;
	setp.lt.u32 %p1, %r1, 5;
${lines.join("\n")}
	ret;
}
`;

it("thousands of nested branches are interpreted", async () => {
  const labels = Array.from({ length: 4000 }, (_, i) => i);
  const text = body([
    ...labels.map((i) => `@%p1 bra $L${labels.length - 1 - i};`),
    ...labels.map((i) => `$L${i}: add.u32 %r1, %r1, 1;`),
  ]);
  expect(await run(text, "auto")).toBe("interpreter");
  expect(await run(text, "webassembly")).toMatch(/^UNSUPPORTED .* too many nested branches or loops$/);
});

it("thousands of blocks that jump back to each other are translated quickly", async () => {
  const labels = Array.from({ length: 4000 }, (_, i) => i);
  const text = body(
    labels.map(
      (i) => `$L${i}: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5; @%p1 bra $L${(7 * i + 1) % 4000};`,
    ),
  );
  expect(await run(text, "webassembly")).toBe("webassembly");
});

it("kernels with more registers than a WebAssembly function may have locals are interpreted", async () => {
  const groups = Array.from({ length: 51_000 / 4 }, (_, i) =>
    [0, 1, 2, 3].map((item) => `%x${4 * i + item}`),
  );
  const text = body([
    "\t.reg .b32 %x<51000>;",
    "\t.shared .align 16 .u32 cell[4];",
    ...groups.map((group) => `ld.shared.v4.u32 {${group}}, [cell];`),
    ...groups.map((group) => `st.shared.v4.u32 [cell], {${group}};`),
  ]);
  expect(await run(text, "webassembly", 1e6)).toBe(
    "UNSUPPORTED expected a kernel `k` that WebAssembly can run, found more registers than a WebAssembly function may have",
  );
  expect(await run(text, "auto", 1e6)).toBe("interpreter");
});
