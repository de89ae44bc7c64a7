// Generated C and Python: compilers accept them without a warning, and they produce the same bytes as the
// TypeScript encoders. Tests are skipped only where there is no compiler.

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { smoke } from "../../../../tests/support/counts.js";
import * as ast from "../../../ast/dist/index.js";
import { AstProgram, constant, ptxInstruction, routineArgument } from "../../../ast/dist/index.js";
import { f32, ptx, s32, special, stacks, u32 } from "../../../stack/dist/generated/default/index.js";
import * as stack from "../../../stack/dist/index.js";
import {
  type AstTable,
  DescriptionError,
  generateCHeader,
  generatePython,
  generateTypeScript,
  type InjectTypes,
  type StackTable,
} from "../../src/index.js";
import { GeneratedFolder, isOnPath } from "../support/generated.js";
import { astTable, hostileNames, injectTypes, nameLists, stackTable, tablesOf } from "../support/tables.js";

const STRICT = ["-Wall", "-Wextra", "-pedantic", "-Werror"];
const hasGcc = isOnPath("gcc");
const hasGpp = isOnPath("g++");
const hasPython = isOnPath("python3");

let folder: GeneratedFolder;
beforeAll(() => {
  folder = new GeneratedFolder();
});
afterAll(() => folder.remove());

/** One instruction of each kind, in all three languages. */
const STACK_PROGRAM = [
  [stack.input(1), "input(1)", "input(1)"],
  [ptx.tanhApproxF32, "ptx(P_PTX_tanh_approx_f32)", "ptx(PTX_tanh_approx_f32)"],
  [ptx.movF32U32, "ptx(P_PTX_mov_f32_u32)", "ptx(PTX_mov_f32_u32)"],
  [f32(-1.1), "constant_F32(-1.1f)", "constant_F32(-1.1)"],
  [u32(0xdeadbeef), "constant_U32(0xdeadbeefu)", "constant_U32(0xdeadbeef)"],
  [s32(-7), "constant_S32(-7)", "constant_S32(-7)"],
  [special.laneid, "special(P_SPECIAL_laneid)", "special(SPECIAL_laneid)"],
  [stack.meta(stacks.U32, "yankDup"), "meta(P_STACK_U32, P_META_yank_dup)", "meta(STACK_U32, META_yank_dup)"],
  [
    stack.meta(stacks.PRED, "reverse"),
    "meta(P_STACK_PRED, P_META_reverse)",
    "meta(STACK_PRED, META_reverse)",
  ],
  [stack.metaConstant(70_000), "meta_constant(70000)", "meta_constant(70000)"],
  [stack.routine(3), "routine(3)", "routine(3)"],
  [stack.store(stacks.S32, 15), "store(P_STACK_S32, 15)", "store(STACK_S32, 15)"],
  [stack.load(15), "load(15)", "load(15)"],
  [stack.returnInstruction, "return_instruction()", "return_instruction()"],
] as const;

const FMA = astTable.instructions.findIndex(({ name }) => name === "fma.rn.ftz.f32");
const AST_PROGRAM = [
  [ast.input(1), "input(1)", "input(1)"],
  [constant(0.1), "constant(0.1f)", "constant(0.1)"],
  [routineArgument(2), "routine_argument(2)", "routine_argument(2)"],
  [ptxInstruction(FMA, 3), "ptx(P_PTX_fma_rn_ftz_f32)", "ptx(PTX_fma_rn_ftz_f32)"],
  [ast.routine(9, 2), "routine(2, 9)", "routine(2, 9)"],
  [ast.returnInstruction, "return_instruction()", "return_instruction()"],
] as const;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const stackBytes = hex(stack.StackProgram.of(...STACK_PROGRAM.map(([instruction]) => instruction)).bytes);
const astBytes = hex(AstProgram.of(...AST_PROGRAM.map(([instruction]) => instruction)).bytes);

describe.skipIf(!hasGcc)("the C header", () => {
  const cProgram = (lines: readonly string[]) => `#include "p.h"
#include <stdio.h>
int main(void) {
  const p_instruction_t program[] = { ${lines.map((line) => `p_${line}`).join(", ")} };
  const unsigned char *bytes = (const unsigned char *)program;
  for (size_t i = 0; i < sizeof program; i++) printf("%02x", bytes[i]);
  return 0;
}`;

  it.each([
    ["Stack PTX", stackTable, STACK_PROGRAM, stackBytes],
    ["AST PTX", astTable, AST_PROGRAM, astBytes],
  ] as const)("encodes %s as TypeScript does", (_, table, program, bytes) => {
    folder.write("p.h", generateCHeader(table, { prefix: "p" }));
    folder.write("main.c", cProgram(program.map(([, c]) => c)));
    folder.run("gcc", "-std=c99", ...STRICT, "-o", "main", "main.c");
    expect(folder.run("./main")).toBe(bytes);
  });

  it("lists the entries of a table", () => {
    folder.write("stack.h", generateCHeader(stackTable));
    folder.write("inject.h", generateCHeader(injectTypes));
    folder.write(
      "entries.c",
      `#include "stack.h"
#include "inject.h"
#include "stack.h"
#include <stdio.h>
int main(void) {
  const mm_ptx_stack_instruction_info_t *fma = &mm_ptx_stack_instruction_table()[MM_PTX_STACK_PTX_fma_rn_ftz_f32];
  const mm_ptx_inject_type_info_t *half = &mm_ptx_inject_type_table()[MM_PTX_INJECT_TYPE_F16];
  printf("%s %u %u %u %s\\n", fma->ptx, fma->num_args, fma->num_rets, fma->args[2], mm_ptx_stack_stack_table()[0].literal_prefix);
  printf("%s %s\\n", half->register_char, half->register_cast_str);
  printf("%d %d %s\\n", MM_PTX_STACK_NUM_INSTRUCTIONS, MM_PTX_INJECT_NUM_TYPES, MM_PTX_STACK_FINGERPRINT);
  return 0;
}`,
    );
    folder.run("gcc", "-std=c99", ...STRICT, "-o", "entries", "entries.c");
    expect(folder.run("./entries")).toBe(
      `fma.rn.ftz.f32 3 1 0 f32\nh *(unsigned short*)&\n${stackTable.instructions.length} ${injectTypes.types.length} ${stackTable.fingerprint}\n`,
    );
  });

  it("accepts whatever names a table has", () => {
    const tables = someTables(smoke(200));
    const names = tables.map((table, index) => {
      folder.write(`random/${index}.h`, generateCHeader(table, { prefix: `t${index}` }));
      return `#include "${index}.h"\n`;
    });
    folder.write("random/all.c", `${names.join("")}int main(void) { return 0; }\n`);
    folder.run("gcc", "-std=c99", ...STRICT, "-fsyntax-only", "random/all.c");
  });

  it("keeps hostile texts unchanged", () => {
    const [table] = tablesOf(hostileNames) as [StackTable, AstTable, InjectTypes];
    folder.write("p.h", generateCHeader(table, { prefix: "p" }));
    folder.write(
      "texts.c",
      `#include "p.h"
#include <stdio.h>
int main(void) {
  for (int i = 0; i < P_NUM_INSTRUCTIONS; i++) puts(p_instruction_table()[i].name);
  return 0;
}`,
    );
    folder.run("gcc", "-std=c99", ...STRICT, "-o", "texts", "texts.c");
    // A C string ends at its first NUL and can't contain half of a surrogate pair.
    const expected = hostileNames.map((name) => name.replace(/\0.*/s, "").replace("\ud800", "\ufffd"));
    expect(folder.run("./texts")).toBe(`${expected.join("\n")}\n`);
  });

  it.skipIf(!hasGpp)("compiles as C++", () => {
    folder.write("p.h", generateCHeader(stackTable, { prefix: "p" }));
    folder.write("hostile.h", generateCHeader(tablesOf(hostileNames)[0]!, { prefix: "hostile" }));
    folder.write("main.cpp", `#include "hostile.h"\n${cProgram(STACK_PROGRAM.map(([, c]) => c))}`);
    folder.run("g++", "-std=c++11", ...STRICT, "-o", "main-cpp", "main.cpp");
    expect(folder.run("./main-cpp")).toBe(stackBytes);
  });
});

it.each(["", "9p", "a b", "p;", "é", 7 as unknown as string])(
  "refuses %j as the prefix of a C header",
  (prefix) => {
    expect(() => generateCHeader(astTable, { prefix })).toThrow(
      expect.objectContaining({ name: DescriptionError.name, code: "INVALID_ARGUMENT" }),
    );
  },
);

describe.skipIf(!hasPython)("the Python module", () => {
  it.each([
    ["Stack PTX", stackTable, STACK_PROGRAM, stackBytes],
    ["AST PTX", astTable, AST_PROGRAM, astBytes],
  ] as const)("encodes %s as TypeScript does", (_, table, program, bytes) => {
    folder.write("p.py", generatePython(table));
    folder.write(
      "main.py",
      `from p import *\nprint(b"".join([${program.map(([, , py]) => py).join(", ")}]).hex())\n`,
    );
    folder.run("python3", "-W", "error", "-m", "py_compile", "p.py");
    expect(folder.run("python3", "-B", "main.py")).toBe(`${bytes}\n`);
  });

  it("lists the entries of a table", () => {
    folder.write("p.py", generatePython(stackTable));
    folder.write("q.py", generatePython(injectTypes));
    folder.write(
      "entries.py",
      `import json, p, q
print(json.dumps([p.INSTRUCTIONS[p.PTX_fma_rn_ftz_f32], p.STACKS[0], len(p.SPECIALS), q.TYPES[q.TYPE_F16], p.FINGERPRINT]))`,
    );
    expect(JSON.parse(folder.run("python3", "-B", "entries.py"))).toEqual([
      {
        ptx: "fma.rn.ftz.f32",
        name: "fma.rn.ftz.f32",
        args: [0, 0, 0],
        rets: [0],
        requires_target: null,
        requires_ptx: null,
      },
      { name: "F32", literal_prefix: "f32", constant_type: "f32" },
      stackTable.specialRegisters.length,
      {
        name: "F16",
        register_type: "b16",
        mov_postfix: "b16",
        register_char: "h",
        register_cast_str: "*(unsigned short*)&",
      },
      stackTable.fingerprint,
    ]);
  });

  it("refuses what the table or the instruction does not have", () => {
    folder.write("p.py", generatePython(stackTable));
    folder.write(
      "refused.py",
      `import p, struct
for call in [lambda: p.ptx(65535), lambda: p.ptx(-1), lambda: p.meta(0, 9), lambda: p.input(-1), lambda: p.constant_S32(1 << 31)]:
    try:
        call()
        print("accepted")
    except (ValueError, struct.error):
        print("refused")`,
    );
    expect(folder.run("python3", "-B", "refused.py")).toBe("refused\n".repeat(5));
  });

  it("accepts whatever names a table has and keeps them", () => {
    const tables = [...tablesOf(hostileNames), ...someTables(smoke(200))];
    tables.forEach((table, index) => {
      folder.write(`python/t${index}.py`, generatePython(table));
      folder.write(
        `python/t${index}.json`,
        JSON.stringify("types" in table ? table.types : table.instructions),
      );
    });
    folder.write(
      "python/all.py",
      `import importlib, json
for index in range(${tables.length}):
    module = importlib.import_module(f"t{index}")
    entries = json.load(open(f"t{index}.json"))
    rows = getattr(module, "TYPES", getattr(module, "INSTRUCTIONS", ()))
    assert [row["name"] for row in rows] == [entry["name"] for entry in entries], index`,
    );
    folder.run(
      "python3",
      "-B",
      "-W",
      "error",
      "-c",
      'import os; os.chdir("python"); exec(open("all.py").read())',
    );
  });
});

it("TypeScript accepts whatever names a table has", () => {
  const tables = someTables(smoke(200));
  const names = tables.map((table, index) => {
    folder.write(`typescript/${index}.ts`, generateTypeScript(table));
    return `typescript/${index}.ts`;
  });
  expect(folder.typeErrors(...names)).toEqual([]);
});

/** Tables of random and hostile names, the same in every run, without names that become one identifier. */
function someTables(count: number): (StackTable | AstTable | InjectTypes)[] {
  const lists = fc.sample(nameLists, { numRuns: Math.ceil(count / 3), seed: 20_261_121 });
  const tables = lists.flatMap(tablesOf).filter((table) => {
    try {
      return [generateTypeScript(table), generateCHeader(table)].length > 0;
    } catch (error) {
      if (error instanceof DescriptionError && error.code === "REFERENCE") return false;
      throw error;
    }
  });
  expect(tables.length).toBeGreaterThan(count / 2);
  return tables;
}
