// What operands, initial values and prototypes contain; the values of constant expressions are those that
// ptxas computes.
import { describe, expect, it, test } from "vitest";
import { type PtxValue, readFragment, readModule } from "../src/index.js";

/** An operand without its places, in the shortest form. */
function short(value: PtxValue): unknown {
  switch (value.kind) {
    case "name":
      return value.component === undefined ? value.name : `${value.name}.${value.component}`;
    case "integer":
      return value.value;
    case "float":
      return [value.width, value.bits.toString(16)];
    case "sum":
      return {
        base: value.base.name,
        offset: value.offset,
        ...(value.generic ? { generic: true } : {}),
        ...(value.mask === undefined ? {} : { mask: value.mask }),
      };
    case "negated":
      return `!${value.value.name}`;
    case "pair":
      return { first: short(value.first), second: short(value.second) };
    case "sink":
      return "_";
    case "string":
      return { text: value.text };
    case "unknown":
      return { unknown: value.message };
    default:
      return { [value.kind]: value.items.map(short) };
  }
}

const operandsOf = (line: string) => readFragment(line, { tolerant: true }).operation(0).operands.map(short);

describe("operands", () => {
  it.each<[string, unknown[]]>([
    ["add.s32 %r1, %r2, -5;", ["%r1", "%r2", -5n]],
    ["mov.u32 %r1, %tid.x;", ["%r1", "%tid.x"]],
    ["mov.f32 %f1, 0f3F800000;", ["%f1", [32, "3f800000"]]],
    ["mov.f64 %f1, 0d3FF0000000000000;", ["%f1", [64, "3ff0000000000000"]]],
    ["mov.f32 %f1, -1.5;", ["%f1", [64, "bff8000000000000"]]],
    [
      "ld.global.v2.f32 {%f1, _}, [%rd1+-4];",
      [{ vector: ["%f1", "_"] }, { address: [{ base: "%rd1", offset: -4n }] }],
    ],
    ["ld.u32 %r1, [table+4+2*2];", ["%r1", { address: [{ base: "table", offset: 8n }] }]],
    ["setp.lt.and.f32 %p|%q, %f1, %f2, !%p3;", [{ first: "%p", second: "%q" }, "%f1", "%f2", "!%p3"]],
    ["shfl.sync.up.b32 _|%p, %r1, 1, 0, -1;", [{ first: "_", second: "%p" }, "%r1", 1n, 0n, -1n]],
    ["call.uni (x), f, (y, 3), proto;", [{ list: ["x"] }, "f", { list: ["y", 3n] }, "proto"]],
    [
      "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}];",
      [{ vector: ["%f1", "%f2", "%f3", "%f4"] }, { address: ["t", { vector: ["%f5", "%f6"] }] }],
    ],
    ["ret;", []],
  ])("of `%s`", (line, expected) => expect(operandsOf(line)).toEqual(expected));

  it("have spans", () => {
    const text = "@!%p ld.u32 %r1, [x + 4] ;";
    const { guard, opcode, operands, span, opcodeSpan } = readFragment(text).operation(0);
    expect(guard).toMatchObject({ name: { name: "%p" }, negated: true });
    expect(opcode).toBe("ld.u32");
    const places = [span, opcodeSpan, ...operands.map((operand) => operand.span)];
    expect(places.map(({ start, end }) => text.slice(start, end))).toEqual([
      "@!%p ld.u32 %r1, [x + 4]",
      "ld.u32",
      "%r1",
      "[x + 4]",
    ]);
  });

  it.each<[string, string]>([
    ["mov.f32 %f1, -%f2;", "expected a constant, found `%f2`"],
    ["mov.u32 %r1, 7/0;", "expected constants that `/` takes, found the end"],
    ["mov.u32 %r1, ~1.5;", "expected a constant that `~` takes, found the end"],
    ["mov.b64 %r1, {%r2, };", "expected an operand after `,`, found `}`"],
    ["bar.sync 0 1;", "expected `,` or the end of the operand, found `1`"],
    ["ld.u32 %r1, [4+%rd1];", "expected a constant, found `%rd1`"],
    [`mov.u64 x, ${"(".repeat(100_000)};`, "expected fewer nested expressions, found `(`"],
    [`mov.u64 x, ${"-".repeat(100_000)}1;`, "expected fewer nested expressions, found `-`"],
    [`mov.u64 x, ${"{".repeat(100_000)};`, "expected `}`, found the end"],
    [`mov.u64 x, ${"{".repeat(100)}1${"}".repeat(100)};`, "expected fewer nested brackets, found `{`"],
    ["mov.u64 x, 18446744073709551616;", "expected an integer of 64 bits, found `18446744073709551616`"],
    [`mov.u64 x, ${"1?".repeat(100_000)};`, "expected fewer nested expressions, found `1`"],
  ])("that cannot be read say why: %.40s", (line, message) => {
    expect(
      JSON.stringify(operandsOf(line), (_, value) => (typeof value === "bigint" ? `${value}` : value)),
    ).toContain(JSON.stringify({ unknown: message }));
  });
});

test.each<[string, bigint]>([
  ["2+3*4", 14n],
  ["(2+3)*4", 20n],
  ["1<<5", 32n],
  ["-7/2", -3n],
  ["-7 % 3", 0n],
  ["7-2-1", 4n],
  ["0x10", 16n],
  ["0b101", 5n],
  ["010", 8n],
  ["12U", 12n],
  ["!0", 1n],
  ["!5", 0n],
  ["~0", -1n],
  ["~0U", 0xffff_ffff_ffff_ffffn],
  ["3==3", 1n],
  ["3!=3", 0n],
  ["-1<1", 1n],
  ["-1<1U", 0n],
  ["1 ? 2 : 3", 2n],
  ["(1<<5) ? 2+3 : 3", 5n],
  ["0 ? 2 : 0 ? 3 : 4", 4n],
  ["1&&0||1", 1n],
  ["6&3|8^1", 11n],
  ["(.s64)18446744073709551615U", -1n],
  ["(.u64)-1", 0xffff_ffff_ffff_ffffn],
  ["-8>>1U", -4n],
  ["-7/2U", 0x7fff_ffff_ffff_fffcn],
  ["1<<70", 64n],
  ["WARP_SZ-1", 31n],
  ["+5", 5n],
])("the constant %s is %s", (expression, value) => {
  expect(operandsOf(`mov.b64 %r1, ${expression};`)).toEqual(["%r1", value]);
});

test("floating-point constants are computed in 64 bits", () => {
  const bits = operandsOf("mov.f64 %r1, 1.0/3.0+2.0;")[1] as [number, string];
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, 1 / 3 + 2);
  expect(bits).toEqual([64, view.getBigUint64(0).toString(16)]);
});

test("initial values are lists and constants", () => {
  const module = readModule(
    `.version 8.0\n.target sm_90\n.address_size 64\n` +
      `.global .u64 a[4] = {generic(b)+4, b, 0xFF00(b+1), {1, -2}}, c = 3;\n.global .b8 s[] = "hi";\n.global .u32 b;\n`,
  );
  const values = module.globals.map(
    ({ initializer }) => initializer && short(module.initialValue(initializer)),
  );
  expect(values).toEqual([
    {
      vector: [
        { base: "b", offset: 4n, generic: true },
        "b",
        { base: "b", offset: 1n, mask: 0xff00n },
        { vector: [1n, -2n] },
      ],
    },
    3n,
    { text: "hi" },
    undefined,
  ]);
});

test("call prototypes have results and parameters", () => {
  const code = readFragment("p: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[12], .reg .u64 _);");
  const { results, parameters: params } = code.prototype(1);
  expect([...results, ...params].map(({ space, type, bytes }) => [space, type, bytes])).toEqual([
    ["param", "b32", 4],
    ["param", "b8", 12],
    ["reg", "u64", 8],
  ]);
});
