// The carry flag between every instruction that sets it and every instruction that adds it, on both engines, in
// threads whose values differ and in threads whose values are the same. The results are worked out by hand: a
// subtraction adds the complement of its second operand, so the flag is 1 after it where it did not borrow.
import { describe, expect, it } from "vitest";
import { Interpreter } from "../../src/interpreter/index.js";
import { Translator } from "../../src/wasm/index.js";
import { instances } from "../support/instances.js";
import { kernelsText, LoadedText } from "../support/launching.js";

const TYPES = ["u32", "s32", "u64", "s64"] as const;
type Type = (typeof TYPES)[number];

/** Operands, the flag before, and the result and the flag after. `M` is all ones, `H` the highest bit. */
type Case = readonly [operands: string, before: 0 | 1, result: string, after: 0 | 1];

/** Cases for words of any width and sign. */
const SETTING: Readonly<Record<string, readonly Case[]>> = {
  "add.cc": [
    ["1 2", 0, "3", 0],
    ["M 1", 0, "0", 1],
    ["H-1 1", 1, "H", 0],
    ["H H", 1, "0", 1],
    ["M M", 0, "M-1", 1],
  ],
  "addc.cc": [
    ["M 0", 0, "M", 0],
    ["M 0", 1, "0", 1],
    ["M-1 0", 1, "M", 0],
    ["M M", 1, "M", 1],
    ["H H-1", 1, "0", 1],
  ],
  "sub.cc": [
    ["5 3", 0, "2", 1],
    ["3 5", 1, "M-1", 0],
    ["0 0", 0, "0", 1],
    ["0 1", 1, "M", 0],
    ["H H-1", 0, "1", 1],
    ["H-1 H", 0, "M", 0],
    ["M M", 0, "0", 1],
  ],
  "subc.cc": [
    ["5 3", 1, "2", 1],
    ["5 3", 0, "1", 1],
    ["5 5", 1, "0", 1],
    ["5 5", 0, "M", 0],
    ["0 0", 1, "0", 1],
    ["0 0", 0, "M", 0],
    ["0 M", 1, "1", 0],
    ["0 M", 0, "0", 0],
  ],
  "mad.lo.cc": [
    ["3 4 5", 1, "17", 0],
    ["M M M", 0, "0", 1],
    ["M 1 1", 0, "0", 1],
    ["H 2 M", 0, "M", 0],
  ],
  "madc.lo.cc": [
    ["3 4 5", 0, "17", 0],
    ["3 4 5", 1, "18", 0],
    ["M 1 0", 1, "0", 1],
    ["M 1 0", 0, "M", 0],
    ["M 1 M", 1, "M", 1],
  ],
};

/** The upper half of a product depends on the sign. */
const HIGH: Readonly<Record<"u" | "s", Readonly<Record<string, readonly Case[]>>>> = {
  u: {
    "mad.hi.cc": [
      ["M M 1", 1, "M", 0],
      ["M M 2", 0, "0", 1],
      ["H 2 5", 0, "6", 0],
      ["H H H", 0, "H+H/2", 0],
      ["M M M", 0, "M-2", 1],
    ],
    "madc.hi.cc": [
      ["M M 1", 0, "M", 0],
      ["M M 1", 1, "0", 1],
      ["H 2 5", 1, "7", 0],
      ["M M M", 1, "M-1", 1],
    ],
  },
  s: {
    "mad.hi.cc": [
      ["M M 5", 1, "5", 0],
      ["M 1 1", 0, "0", 1],
      ["M 1 0", 1, "M", 0],
      ["H H H", 0, "H+H/2", 0],
      ["H 2 5", 0, "4", 1],
    ],
    "madc.hi.cc": [
      ["M M 5", 1, "6", 0],
      ["M 1 0", 0, "M", 0],
      ["M 1 0", 1, "0", 1],
      ["M 1 M", 1, "M", 1],
    ],
  },
};

/** What adds the flag, with its result for both flags. */
const TAKING: Readonly<Record<string, readonly [operands: string, without: string, having: string]>> = {
  addc: ["M 2", "1", "2"],
  subc: ["10 3", "6", "7"],
  "madc.lo": ["3 4 M", "11", "12"],
  "madc.hi": ["H H 1", "H/2+1", "H/2+2"],
};

/** A number of a width; `H/2` is the second highest bit. */
function bitsOf(text: string, bits: number): bigint {
  const [all, half] = [(1n << BigInt(bits)) - 1n, 1n << BigInt(bits - 1)];
  const terms = text.match(/[+-]?[^+-]+/g)!.map((term) => {
    const name = term.replace(/^[+-]/, "");
    const value = { M: all, H: half, "H/2": half >> 1n }[name] ?? BigInt(name);
    return term.startsWith("-") ? -value : value;
  });
  return BigInt.asUintN(
    bits,
    terms.reduce((sum, term) => sum + term),
  );
}

const SLOTS = 4;

/** Loads the operands of a row, sets the flag, and then stores each result of what adds it. */
function bodyOf(setting: string, type: Type, row: "%tid.x" | "%ctaid.x"): string {
  const bits = Number(type.slice(1));
  const operands = (opcode: string, names: readonly string[]) =>
    names.slice(0, opcode.startsWith("mad") ? 3 : 2).join(", ");
  const result = (index: number, name: string) => `st.global.${type} [%l2+${8 * index}], ${name};`;
  return [
    `.reg .b32 %i<4>; .reg .b64 %l<4>; .reg .${type} %x<8>;`,
    `mov.u32 %i0, ${row}; mul.wide.u32 %l0, %i0, ${8 * SLOTS}; add.u64 %l1, %a0, %l0;`,
    ...["%x0", "%x1", "%x2"].map((name, slot) => `ld.global.${type} ${name}, [%l1+${8 * slot}];`),
    "ld.global.u32 %i3, [%l1+24];",
    // The results of each thread, whichever row it has.
    "mov.u32 %i1, %ctaid.x; mov.u32 %i2, %ntid.x; mad.lo.u32 %i1, %i1, %i2, 0; mov.u32 %i2, %tid.x;",
    `add.u32 %i1, %i1, %i2; mul.wide.u32 %l2, %i1, ${8 * (1 + Object.keys(TAKING).length)}; add.u64 %l2, %a1, %l2;`,
    ...Object.entries(TAKING).flatMap(([opcode, [given]], index) => [
      "add.cc.u32 %i2, %i3, 0xffffffff;",
      `${setting}.${type} %x4, ${operands(setting, ["%x0", "%x1", "%x2"])};`,
      `${opcode}.${type} %x5, ${operands(
        opcode,
        given.split(" ").map((text) => `${BigInt.asIntN(bits, bitsOf(text, bits))}`),
      )};`,
      result(1 + index, "%x5"),
    ]),
    result(0, "%x4"),
  ].join("\n");
}

const ENGINES = { interpreter: new Interpreter(), translator: new Translator() };
const ROWS = ["%tid.x", "%ctaid.x"] as const;

const settingOf = (type: Type) => ({ ...SETTING, ...HIGH[type.startsWith("u") ? "u" : "s"] });
const nameOf = (setting: string, row: (typeof ROWS)[number]) =>
  `${setting.replaceAll(".", "_")}_${row === "%tid.x" ? "threads" : "blocks"}`;

function textOf(type: Type): LoadedText {
  const bodies = Object.keys(settingOf(type)).flatMap((setting) =>
    ROWS.map((row) => [nameOf(setting, row), bodyOf(setting, type, row)] as const),
  );
  return new LoadedText(kernelsText(Object.fromEntries(bodies), { params: 2 }));
}

/** Rows by thread, for groups of four threads and for single ones, and rows by block. */
const SHAPES = [
  { row: "%tid.x", block: 8 },
  { row: "%tid.x", block: 3 },
  { row: "%ctaid.x", block: 4 },
] as const;

describe.each(TYPES)("%s", (type) => {
  const bits = Number(type.slice(1));
  const text = textOf(type);
  describe.each(Object.entries(ENGINES))("with the %s,", (_, engine) => {
    it.each(Object.entries(settingOf(type)))("%s", async (opcode, cases) => {
      const input = BigUint64Array.from(
        cases.flatMap(([operands, before]) => {
          const values = operands.split(" ").map((text) => bitsOf(text, bits));
          return [...values, ...Array<bigint>(3 - values.length).fill(0n), BigInt(before)];
        }),
      );
      const perThread = 1 + Object.keys(TAKING).length;
      const expected = cases.map(([, , result, after]) =>
        [result, ...Object.values(TAKING).map((taken) => taken[1 + after] as string)].map((text) =>
          bitsOf(text, bits),
        ),
      );
      for (const { row, block } of SHAPES) {
        // Rows that threads beyond the last case have are cases again.
        const threads = row === "%tid.x" ? block : cases.length * block;
        const rows = new BigUint64Array(SLOTS * Math.max(block, cases.length));
        for (let at = 0; at < rows.length; at++) rows[at] = input[at % input.length]!;
        const grid = row === "%tid.x" ? 1 : cases.length;
        const { fault, buffers } = await text.launch(engine, {
          kernel: nameOf(opcode, row),
          grid: [grid, 1, 1],
          block: [block, 1, 1],
          args: [{ buffer: rows }, { buffer: new BigUint64Array(perThread * threads) }],
        });
        expect(fault).toBeUndefined();
        const found = new BigUint64Array(buffers[1]!.slice().buffer as ArrayBuffer);
        for (let thread = 0; thread < threads; thread++) {
          const at = row === "%tid.x" ? thread % cases.length : Math.floor(thread / block);
          expect(
            [...found.subarray(perThread * thread, perThread * (thread + 1))],
            `${opcode}.${type} ${cases[at]!.slice(0, 2).join(", flag ")} in thread ${thread} of ${block}`,
          ).toEqual(expected[at]);
        }
      }
    });
  });
});

it("the tables have every instruction that sets or adds the flag", () => {
  const stated = (trait: "givesCarry" | "takesCarry") =>
    instances()
      .filter(({ match }) => match.operation.traits[trait])
      .map(({ match }) => match.operation.name);
  const names = (opcodes: readonly string[]) => [...new Set(opcodes.map((opcode) => opcode.split(".")[0]))];
  expect(names(Object.keys(settingOf("u32"))).sort()).toEqual(names(stated("givesCarry")).sort());
  expect(names(Object.keys(TAKING)).sort()).toEqual(names(stated("takesCarry")).sort());
});
