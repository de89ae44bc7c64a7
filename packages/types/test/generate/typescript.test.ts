// Generated TypeScript: the committed modules, what the compiler reports for it under strict settings, and
// what it accepts.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../../tests/support/workspace.js";
import { DescriptionError, generateTypeScript, generateTypeScriptModules } from "../../src/index.js";
import { GeneratedFolder } from "../support/generated.js";
import {
  astTable,
  hostileNames,
  injectTypes,
  stackTable,
  stackTableOf,
  tablesOf,
} from "../support/tables.js";

let folder: GeneratedFolder;
beforeAll(() => {
  folder = new GeneratedFolder();
});
afterAll(() => folder.remove());

it("equals the committed default modules byte for byte", () => {
  const modules = generateTypeScriptModules(stackTable, { encoders: "../../encode.js" });
  expect(Object.keys(modules)).toEqual(["index.ts", "ptx.ts", "special.ts"]);
  for (const [name, text] of Object.entries(modules)) {
    expect(text).toBe(readFileSync(join(ROOT, "packages/stack/src/generated/default", name), "utf8"));
  }
});

describe("under strict settings", () => {
  it("modules of our tables compile and export the table and its encoders", async () => {
    folder.write("stack.ts", generateTypeScript(stackTable));
    folder.write("ast.ts", generateTypeScript(astTable));
    folder.write("inject.ts", generateTypeScript(injectTypes));
    for (const [name, text] of Object.entries(generateTypeScriptModules(stackTable))) {
      folder.write(`modules/${name}`, text);
    }
    expect(folder.typeErrors("stack.ts", "ast.ts", "inject.ts", "modules/index.ts")).toEqual([]);

    const [one, several, ast, inject] = await Promise.all(
      ["stack.js", "modules/index.js", "ast.js", "inject.js"].map((name) => import(join(folder.path, name))),
    );
    expect(one.table).toEqual(stackTable);
    expect(several.table).toEqual(stackTable);
    expect(ast.table).toEqual(astTable);
    expect(inject.types).toEqual(injectTypes);
    expect(Object.isFrozen(one.table.instructions[0].args)).toBe(true);
    expect(Object.keys(one.ptx)).toHaveLength(stackTable.instructions.length);
    expect({ ...several.ptx }).toEqual(one.ptx);
    expect({ ...several.special }).toEqual(one.special);
    expect(one.ptx.subFtzF32).toEqual({ head: 1, payload: 1 });
    expect(one.special.tidY).toEqual({ head: 4, payload: 1 });
    expect(ast.ptx.fmaRnFtzF32).toMatchObject({ head: 3 | (3 << 16) });
  });

  it("modules of hostile names compile and keep them", async () => {
    const [stack, ast, inject] = tablesOf(hostileNames) as [ReturnType<typeof stackTableOf>, never, never];
    folder.write("hostile.ts", generateTypeScript(stack));
    folder.write("hostile-ast.ts", generateTypeScript(ast));
    folder.write("hostile-inject.ts", generateTypeScript(inject));
    for (const [name, text] of Object.entries(generateTypeScriptModules(stack))) {
      folder.write(`hostile/${name}`, text);
    }
    const files = ["hostile.ts", "hostile-ast.ts", "hostile-inject.ts", "hostile/index.ts"];
    expect(folder.typeErrors(...files)).toEqual([]);
    for (const name of ["hostile.js", "hostile/index.js"]) {
      const module = await import(join(folder.path, name));
      expect(module.table).toEqual(stack);
      expect(Object.keys(module.stacks)).toEqual(hostileNames);
      expect(module.ptx.delete).toEqual({ head: 1, payload: 0 });
      expect(module.ptx.constructor).toEqual({ head: 1, payload: 2 });
      expect(module.delete_(1)).toEqual({ head: 2, payload: 0x3f800000 });
    }
  });

  it("modules of tables without entries compile", () => {
    for (const [index, table] of tablesOf([]).entries()) {
      folder.write(`empty${index}.ts`, generateTypeScript(table));
      for (const [name, text] of Object.entries(generateTypeScriptModules(table))) {
        folder.write(`empty${index}/${name}`, text);
      }
    }
    const files = [0, 1, 2].flatMap((index) => [`empty${index}.ts`, `empty${index}/index.ts`]);
    expect(folder.typeErrors(...files)).toEqual([]);
  });

  it("using what a table lacks is a type error", () => {
    folder.write("small.ts", generateTypeScript(stackTableOf(["A"])));
    const lines: Record<string, string> = {
      "right.ts": '[small.ptx.a, small.a(1), small.meta(small.stacks.A, "dup"), small.store(0, 1)]',
      "instruction.ts": "small.ptx.b",
      "constant.ts": "small.f32(1)",
      "meta-stack.ts": 'small.meta(1, "dup")',
      "meta-operation.ts": 'small.meta(0, "dupe")',
      "store-stack.ts": "small.store(small.stacks.B, 1)",
      "constant-text.ts": 'small.a("1")',
    };
    for (const [name, line] of Object.entries(lines)) {
      folder.write(name, `import * as small from "./small.js";\nexport const used = ${line};\n`);
    }
    const messages = folder.typeErrors(...Object.keys(lines));
    const files = messages.map((message) => message.slice(0, message.indexOf(":")));
    expect(files.sort()).toEqual(Object.keys(lines).slice(1).sort());
    expect(messages).toContain(
      "instruction.ts: Property 'b' does not exist on type '{ readonly a: Instruction; }'.",
    );
  });
});

it("refuses names that become one identifier, and lists all of them", () => {
  const table = stackTableOf(["add.f32", "add_f32", "add-f32"]);
  expect(() => generateTypeScript(table)).toThrow(DescriptionError);
  expect(() => generateTypeScript(table)).toThrow(
    expect.objectContaining({
      code: "REFERENCE",
      problems: [
        expect.objectContaining({ message: expect.stringContaining("found `addF32` for `add_f32`") }),
        expect.objectContaining({ message: expect.stringContaining("found `addF32` for `add-f32`") }),
      ],
    }),
  );
});
