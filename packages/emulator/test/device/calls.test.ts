// Trees of calls that no translation can put in place, and chains that no stack of ours would take.
import { describe, expect, it } from "vitest";
import { EmulatedDevice } from "../../src/index.js";

/** Functions that each call the one before so many times, and a kernel that calls the last. */
const tree = (functions: number, times: number, body = "") => `.version 9.0
.target sm_90
.address_size 64
${Array.from({ length: functions }, (_, i) => {
  const calls = i === 0 ? "" : `call f${i - 1}; `.repeat(times);
  return `.func f${i}() { .reg .b32 %r<4>; ${body} ${calls}ret; }`;
}).join("\n")}
.visible .entry k() { call f${functions - 1}; ret; }
`;

async function run(text: string, engine: "webassembly" | "interpreter" | "auto") {
  using device = EmulatedDevice.open({ engine });
  const kernel = device.load(text).kernel("k");
  const options = { grid: 1, block: 1, limits: { instructions: 100_000 } };
  return device.stream.run(kernel, options, []).then(
    ({ engine: ran }) => ran,
    ({ code, message }) => `${code} ${message}`,
  );
}

describe("calls", () => {
  it.each([
    ["of functions without instructions of their own", 26, ""],
    ["of functions with registers", 13, "add.u32 %r1, %r2, 1;"],
  ])("that double at each of many levels are not put in place: %s", async (_, levels, body) => {
    const text = tree(levels, 2, body);
    expect(await run(text, "webassembly")).toBe(
      "UNSUPPORTED expected kernel `k` as WebAssembly can run it, found it has too many instructions with its calls",
    );
    expect(await run(text, "auto")).toMatch(levels > 20 ? /^BUDGET kernel `k`: / : /^interpreter$/);
  });

  it("may be a chain of any length", async () => {
    const text = tree(20_000, 1);
    expect(await run(text, "auto")).toBe("interpreter");
    expect(await run(text, "webassembly")).toMatch(/^UNSUPPORTED .* are too deep$/);
  });
});
