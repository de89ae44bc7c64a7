// `mm-ptx-search shrink`: stubs from kernels, and stubs that are written from programs.
import { evaluateBatch } from "@mm-ptx/columns";
import { parseStub } from "@mm-ptx/columns/stub";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stubOfGraph } from "../../src/cli/graph-stub.js";
import { graphOf } from "../../src/simplify/graph.js";
import { SearchFolder } from "./folder.js";

/** A kernel with sites whose operands are `<direction> <PTX type> <name>`. */
const kernel = (...sites: readonly (readonly string[])[]): string => {
  const text = sites.map((operands, index) =>
    [
      "\t{",
      `\t// PTX_INJECT_START site${index}`,
      ...operands.map((operand, place) => {
        const [direction, type, name] = operand.split(" ");
        return `\t// _x${place} ${direction} ${type} ${type!.toUpperCase()} ${name}`;
      }),
      "\t// PTX_INJECT_END",
      "\t}",
    ].join("\n"),
  );
  return `.version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n${text.join("\n")}\n\tret;\n}\n`;
};

const LONG =
  "sub.u32 %a, %_x1, 1;\nor.b32 %b, %_x1, %a;\nnot.b32 %b, %b;\nneg.s32 %b, %b;\nand.b32 %_x0, %b, %_x1;\n";

let folder: SearchFolder;
beforeAll(() => {
  folder = new SearchFolder();
  folder.write("one.ptx", kernel(["o u32 z", "i u32 x"]));
  folder.write("two.ptx", kernel(["o u32 z", "i u32 x"], ["m f32 y"]));
  folder.write("long.ptx", `.reg .u32 %a;\n.reg .u32 %b;\n${LONG}`);
  folder.write("wide.ptx", "cvt.u64.u32 %rd1, %_x1;");
});
afterAll(() => folder.remove());

const QUICK = ["--seconds", "2", "--no-exhaustive", "--rows", "4096", "--workers", "1"];

it("prints a shorter stub, and says how it was compared", async () => {
  const { code, stdout, stderr } = await folder.run(["shrink", "one.ptx", "--stub", "long.ptx", ...QUICK]);
  expect(stderr).toMatch(
    /^4 instructions instead of 5, equal on 4,096 rows, which is not a proof\nno program of up to \d of these instructions is equal\n$/,
  );
  expect(code).toBe(0);
  const operands = [
    { name: "z", direction: "out", register: "_x0", registerType: "u32", type: "U32" },
    { name: "x", direction: "in", register: "_x1", registerType: "u32", type: "U32" },
  ] as const;
  const x = Uint32Array.from({ length: 1000 }, (_, row) => Math.imul(row, 0x9e3779b1));
  const columns = [new Uint32Array(x.length), x];
  const [short, long] = [parseStub(stdout, operands), parseStub(folder.read("long.ptx"), operands)];
  const [found, expected] = await Promise.all(
    [short, long].map((code) => evaluateBatch(code, columns, { outputs: true })),
  );
  expect(found!.outputs!.column(0)).toEqual(expected!.outputs!.column(0));
  const named = await folder.run([
    ...["shrink", "two.ptx", "--site", "site0", "--stub", "long.ptx", "-o", "out.ptx", "--json"],
    ...["--instructions", "neg.s32", "and.b32", "add.u32", "--constants", "1", "0xff", ...QUICK],
  ]);
  expect(JSON.parse(named.stdout)).toMatchObject({
    ok: true,
    before: 5,
    length: 4,
    equality: { kind: "rows" },
    out: "out.ptx",
  });
  expect(folder.read("out.ptx")).toContain("%_x0");
});

it("says what it can't shrink", async () => {
  const cases: Record<string, [number, string]> = {
    "shrink none.ptx --stub long.ptx": [1, "error: expected a file to read, found `none.ptx`: no such file"],
    "shrink two.ptx --stub long.ptx": [
      1,
      "two.ptx: error: expected `--site` for a kernel with the sites `site0`, `site1`, found none",
    ],
    "shrink one.ptx --stub wide.ptx": [1, "wide.ptx: error: "],
    "shrink one.ptx": [2, "error: expected `--stub`, such as `--stub stub.ptx`, found nothing"],
    "shrink one.ptx --stub long.ptx --constants -1": [
      2,
      "error: option `--constants`: expected a number below 2^32, such as 31 or 0x7fffffff, found `-1`",
    ],
    "shrink one.ptx --stub long.ptx --constants 5000000000": [
      2,
      "error: option `--constants`: expected a number below 2^32, such as 31 or 0x7fffffff, found `5000000000`",
    ],
  };
  for (const [words, [expected, message]] of Object.entries(cases)) {
    const { code, stderr } = await folder.run(words.split(" "));
    expect([words, code, stderr.startsWith(message) || stderr]).toEqual([words, expected, true]);
  }
});

it("writes stubs that compute the same: modified operands, constants, predicates, outputs that are equal", async () => {
  const operand = (name: string, direction: "in" | "mod" | "out", type: string, place: number) =>
    ({ name, direction, register: `_x${place}`, registerType: type, type: type.toUpperCase() }) as const;
  const cases: [operands: Parameters<typeof parseStub>[1], stub: string][] = [
    [
      [operand("y", "mod", "u32", 0), operand("z", "out", "u32", 1), operand("x", "in", "u32", 2)],
      "add.u32 %_x1, %_x0, %_x2;\nmov.u32 %_x0, %_x1;",
    ],
    [
      [operand("y", "mod", "u32", 0), operand("z", "mod", "u32", 1)],
      ".reg .u32 %t;\nmov.u32 %t, %_x0;\nmov.u32 %_x0, %_x1;\nmov.u32 %_x1, %t;",
    ],
    [
      [operand("z", "out", "f32", 0), operand("x", "in", "f32", 1)],
      ".reg .pred %p;\nsetp.lt.f32 %p, %_x1, 0f3F800000;\nselp.f32 %_x0, %_x1, 0fBF000000, %p;",
    ],
    [
      [operand("z", "out", "u32", 0), operand("w", "out", "u32", 1), operand("x", "in", "u32", 2)],
      "and.b32 %_x0, %_x2, 0xffff0000;\nmov.u32 %_x1, 7;",
    ],
  ];
  for (const [operands, stub] of cases) {
    const code = parseStub(stub, operands);
    const text = stubOfGraph(graphOf(code.words), operands);
    const columns = operands.map(({ registerType }, place) =>
      registerType === "f32"
        ? Float32Array.from({ length: 64 }, (_, row) => row / 8 - place)
        : Uint32Array.from({ length: 64 }, (_, row) => Math.imul(row + 64 * place, 0x9e3779b1)),
    );
    const [expected, found] = await Promise.all(
      [code, parseStub(text, operands)].map((each) => evaluateBatch(each, columns, { outputs: true })),
    );
    const outputs = operands.filter(({ direction }) => direction !== "in").length;
    for (let output = 0; output < outputs; output++)
      expect([text, found!.outputs!.column(0, output)]).toEqual([text, expected!.outputs!.column(0, output)]);
  }
});
