// The text of the CUDA header: its bytes, and how it depends on a description of types. The other tests of
// this folder compile it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { InjectType, InjectTypes } from "@mm-ptx/types/core";
import { expect, test } from "vitest";
import { types as defaultTypes } from "../../src/generated/default.js";
import { cudaHeader } from "../../src/index.js";
import { INCLUDE } from "../support/header-compilers.js";
import { errorOf } from "../support/helpers.js";

const ANGLE: InjectType = {
  name: "ANGLE",
  registerType: "f32",
  movPostfix: "f32",
  registerChar: "f",
  registerCast: "",
};

const described = (...types: InjectType[]): InjectTypes => ({ ...defaultTypes, types });

/** The lines that define types, without their common beginning. */
const typesOf = (header: string): string[] =>
  [...header.matchAll(/^#define PTX_TYPE_INFO_(.*)$/gm)].map(([, line]) => line!);

test("the committed header is that of the default types", () => {
  expect(readFileSync(join(INCLUDE, "ptx_inject.h"), "utf8")).toBe(cudaHeader());
});

test("each type has one name, and PHILOX is always the last", () => {
  expect(typesOf(cudaHeader())).toEqual([
    "F16 PTX_TYPES_DESC(b16, b16, h, U16)",
    "F16X2 PTX_TYPES_DESC(b32, b32, r, U32)",
    "S32 PTX_TYPES_DESC(s32, s32, r, ID)",
    "U32 PTX_TYPES_DESC(u32, u32, r, ID)",
    "F32 PTX_TYPES_DESC(f32, f32, f, ID)",
    "B32 PTX_TYPES_DESC(b32, b32, r, ID)",
    "PHILOX PTX_TYPES_DESC(u32, u32, r, ID)",
  ]);
});

test("a custom description defines the types of the header, with PHILOX in any case", () => {
  const philox = "PHILOX PTX_TYPES_DESC(u32, u32, r, ID)";
  expect(typesOf(cudaHeader(described(ANGLE)))).toEqual(["ANGLE PTX_TYPES_DESC(f32, f32, f, ID)", philox]);
  expect(typesOf(cudaHeader(described()))).toEqual([philox]);
  const own = { ...ANGLE, name: "PHILOX" };
  expect(typesOf(cudaHeader(described(own, ANGLE)))).toEqual([
    "ANGLE PTX_TYPES_DESC(f32, f32, f, ID)",
    "PHILOX PTX_TYPES_DESC(f32, f32, f, ID)",
  ]);
});

test("another spelling of a type needs no macro, and one of the same letters for another type has one", () => {
  const lower = { ...ANGLE, name: "angle" };
  expect(typesOf(cudaHeader(described(lower)))[0]).toBe("angle PTX_TYPES_DESC(f32, f32, f, ID)");
  expect(typesOf(cudaHeader(described(lower, ANGLE)))).toHaveLength(2);
  expect(typesOf(cudaHeader(described({ ...lower, registerType: "b32" }, ANGLE)))).toHaveLength(3);
});

test("a cast that the header lacks gets a binding macro of its own", () => {
  const header = cudaHeader(described({ ...ANGLE, registerCast: "*(unsigned long long*)&" }));
  expect(typesOf(header)[0]).toBe("ANGLE PTX_TYPES_DESC(f32, f32, f, OF_ANGLE)");
  expect(header).toContain("\n#define PTX_TYPES_BIND_OF_ANGLE(...) (*(unsigned long long*)&(__VA_ARGS__))\n");
});

test("headers differ only in the names and descriptions of types", () => {
  const without = (header: string) =>
    header
      .replace(/^\/\/ Types: .*$/m, "")
      .replace(/^#define PTX_TYPE_INFO_.*\n/gm, "")
      .replace(/^#define PTX_TYPES_BIND_OF_.*\n/gm, "");
  expect(without(cudaHeader(described(ANGLE)))).toBe(without(cudaHeader()));
});

/** C++ words of the header, and what programs know: a function, and the fields of a Philox state. */
const WORDS =
  `alignas always_inline asm attribute auto bool case char class const constexpr decltype do else enum false float
  for function if inline int namespace operator reinterpret_cast return short sizeof static static_assert static_cast struct
  template true unsigned void volatile while continue double host device ptx_inject choose PHILOX key ctr x y z w`.split(
    /\s+/,
  );

test("macros of a program cannot change the header, because all its names begin with PTX_ or ptxi_", () => {
  const code = cudaHeader()
    .replace(/\/\/.*$|"(?:\\.|[^"\\])*"|'.'/gm, "")
    .replaceAll("\\\n", " ")
    .replace(/^#(?!define).*$|^#define PTX_TYPE_INFO_.*$/gm, "");
  const foreign = code.split("\n").flatMap((line) => {
    const [, parameters = "", text = line] = /^#define \w+(?:\(([^)]*)\))?(.*)$/.exec(line) ?? [];
    const known = new Set([...WORDS, ...parameters.split(/,\s*/)]);
    return [...text.matchAll(/\b[a-z]\w*/gi)]
      .map(([name]) => name)
      .filter((name) => !/^(?:PTX_|ptxi_|ptx_inject_|philox_|__)/.test(name) && !known.has(name));
  });
  expect([...new Set(foreign)]).toEqual([]);
});

test.each([
  [null, "expected an inject description, found null"],
  [{ kind: "stack", types: [] }, "expected an inject description, found an object"],
  [{ kind: "inject", types: "F32" }, "expected an inject description, found an object"],
  [
    described({ ...ANGLE, name: "f32.x" }),
    "expected name of a type to be letters, digits and underscores, for macros of the header, found `f32.x`",
  ],
  [
    described({ ...ANGLE, registerChar: '"' }),
    'expected registerChar of a type to be letters, digits and underscores, for macros of the header, found `"`',
  ],
  [
    described({ ...ANGLE, movPostfix: undefined as unknown as string }),
    "expected `movPostfix` of a type as text, found undefined (type 0)",
  ],
  ...["*(int*)&\n#error", "(", "#x", "*(int*)& //", "\\"].map((registerCast): [InjectTypes, string] => [
    described({ ...ANGLE, registerCast }),
    "expected registerCast of type `ANGLE` to be types in parentheses, `*` and `&`, found ",
  ]),
  [described(null as unknown as InjectType), "expected a type of a description, found null"],
])("refuses to write a header for %j", (types, message) => {
  const error = errorOf(() => cudaHeader(types as InjectTypes));
  expect(error.code).toBe("INVALID_ARGUMENT");
  expect(error.message).toContain(message);
});
