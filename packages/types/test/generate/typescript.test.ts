// Generated TypeScript and JavaScript: the committed modules, what the compiler reports for it under strict
// settings, what it accepts, and that both forms export the same.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../../tests/support/workspace.js";
import {
  type AnyTable,
  DescriptionError,
  generateJavaScript,
  generateJavaScriptModules,
  generateTypeScript,
  generateTypeScriptModules,
} from "../../src/index.js";
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

  it.each(["typescript", "js"])("using what a table lacks is a type error: %s", (language) => {
    const small = stackTableOf(["A"]);
    if (language === "js") writeJavaScript(`${language}/small`, small);
    else folder.write(`${language}/small.ts`, generateTypeScript(small));
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
      const text = `import * as small from "./small.js";\nexport const used = ${line};\n`;
      folder.write(`${language}/${name}`, text);
    }
    const messages = folder.typeErrors(...Object.keys(lines).map((name) => `${language}/${name}`));
    const files = messages.map((message) => message.slice(language.length + 1, message.indexOf(":")));
    expect(files.sort()).toEqual(Object.keys(lines).slice(1).sort());
    expect(messages).toContain(
      `${language}/instruction.ts: Property 'b' does not exist on type '{ readonly a: Instruction; }'.`,
    );
  });
});

const writeJavaScript = (name: string, table: AnyTable): void => {
  const { javascript, types } = generateJavaScript(table);
  folder.write(`${name}.js`, javascript);
  folder.write(`${name}.d.ts`, types);
};

describe("JavaScript with types beside it", () => {
  it.each([
    ["our tables", [stackTable, astTable, injectTypes]],
    ["hostile names", tablesOf(hostileNames)],
    ["tables without entries", tablesOf([])],
  ])("exports what TypeScript does, with the same types: %s", async (what, tables) => {
    const at = what.replaceAll(" ", "-");
    const names: string[] = [];
    for (const [index, table] of tables.entries()) {
      folder.write(`${at}/ts/${index}.ts`, generateTypeScript(table));
      writeJavaScript(`${at}/js/${index}`, table);
      for (const [name, text] of Object.entries(generateTypeScriptModules(table)))
        folder.write(`${at}/ts/${index}/${name}`, text);
      for (const [name, text] of Object.entries(generateJavaScriptModules(table)))
        folder.write(`${at}/js/${index}/${name}`, text);
      const groups = Object.keys(generateTypeScriptModules(table)).map((name) => name.replace(/\.ts$/, ""));
      names.push(`${index}`, ...groups.map((name) => `${index}/${name}`));
    }
    const both = names.map(
      (name, index) => `import * as ts${index} from "./ts/${name}.js";
import * as js${index} from "./js/${name}.js";
export const there${index}: typeof ts${index} = js${index};
export const back${index}: typeof js${index} = ts${index};\n`,
    );
    folder.write(`${at}/both.ts`, both.join(""));
    expect(folder.typeErrors(`${at}/both.ts`)).toEqual([]);
    for (const name of names) {
      const [ts, js] = await Promise.all(
        ["ts", "js"].map((form) => import(join(folder.path, at, form, `${name}.js`))),
      );
      const isValue = (value: unknown): boolean => typeof value !== "function";
      expect(Object.keys(js)).toEqual(Object.keys(ts));
      for (const key of Object.keys(ts).filter((each) => isValue(ts[each]))) expect(js[key]).toEqual(ts[key]);
    }
  });

  it("has no types in the JavaScript, and no values beside it", () => {
    const { javascript, types } = generateJavaScript(stackTable);
    expect(javascript).not.toMatch(/\btype\b|\bas const\b|=> Instruction/);
    expect(types).not.toMatch(/__PURE__|deepFreeze/);
    expect(types).toContain('import type { Instruction, MetaOperationName } from "@mm-ptx/stack";');
    expect(types).toContain("export declare const f32: (value: number) => Instruction;");
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
