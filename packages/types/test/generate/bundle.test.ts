// What bundlers keep of generated modules: the encoders that are used, without the table and the other
// encoders. The packages that the encoders come from stay external, so that the bundles contain generated
// code only.

import { type BuildOptions, buildSync } from "esbuild";
import { rollup } from "rollup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateTypeScript, generateTypeScriptModules } from "../../src/index.js";
import { GeneratedFolder } from "../support/generated.js";
import { stackTable } from "../support/tables.js";

let folder: GeneratedFolder;
beforeAll(() => {
  folder = new GeneratedFolder();
  folder.writeJavaScript("one.js", generateTypeScript(stackTable));
  for (const [name, text] of Object.entries(generateTypeScriptModules(stackTable))) {
    folder.writeJavaScript(`modules/${name.replace(/\.ts$/, ".js")}`, text);
  }
});
afterAll(() => folder.remove());

const isOutside = (specifier: string) => specifier.startsWith("@mm-ptx/");

/** `build` would leave a service running beside the test. */
function esbuildText(input: string, options: BuildOptions): string {
  const { outputFiles } = buildSync({
    ...options,
    entryPoints: [input],
    bundle: true,
    format: "esm",
    write: false,
    external: ["@mm-ptx/*"],
    logLevel: "error",
  });
  return outputFiles[0]!.text;
}

const BUNDLERS = {
  esbuild: async (input: string) => esbuildText(input, {}),
  async rollup(input: string): Promise<string> {
    const bundle = await rollup({ input, external: isOutside, treeshake: { moduleSideEffects: false } });
    const { output } = await bundle.generate({ format: "es" });
    return output[0].code;
  },
};

/**
 * What a bundle of one line of code contains: the table or not, and how many calls of the encoders of a
 * group.
 */
async function carried(bundler: keyof typeof BUNDLERS, code: string) {
  const text = await BUNDLERS[bundler](folder.write("entry.js", `${code}\n`));
  const calls = (name: string) => [...text.matchAll(new RegExp(`\\b${name}\\(\\w+\\)`, "g"))].length;
  return {
    table: text.includes('"mul.lo.s32"') || text.includes('kind: "stack"'),
    instructions: calls("ptxInstruction"),
    specials: calls("specialRegister") + calls("special"),
  };
}

const ONE = { table: false, instructions: 1, specials: 0 };
const ALL = stackTable.instructions.length;

describe.each(Object.keys(BUNDLERS) as (keyof typeof BUNDLERS)[])("%s keeps", (bundler) => {
  it("one instruction of the module of all instructions", async () => {
    const code = 'import * as ptx from "./modules/ptx.js"; console.log(ptx.addFtzF32);';
    expect(await carried(bundler, code)).toEqual(ONE);
  });

  it("neither the table nor instructions for a constant", async () => {
    for (const module of ["./modules/index.js", "./one.js"]) {
      const code = `import { f32, input, stacks } from "${module}"; console.log(f32(1), input(0), stacks.F32);`;
      expect(await carried(bundler, code)).toEqual({ ...ONE, instructions: 0 });
    }
  });

  it("the table without instructions", async () => {
    for (const module of ["./modules/index.js", "./one.js"]) {
      const code = `import { table } from "${module}"; console.log(table);`;
      expect(await carried(bundler, code)).toEqual({ table: true, instructions: 0, specials: 0 });
    }
  });
});

describe("one instruction of the namespace", () => {
  const code = 'import { ptx } from "./modules/index.js"; console.log(ptx.addFtzF32);';

  it("is kept alone by rollup", async () => {
    expect(await carried("rollup", code)).toEqual(ONE);
  });

  it("is kept with the others, but without the table, by esbuild", async () => {
    expect(await carried("esbuild", code)).toEqual({ ...ONE, instructions: ALL });
  });
});

it("a minified bundle of one instruction is shorter than 100 bytes", () => {
  const code = 'import { addFtzF32 } from "./modules/ptx.js";\nconsole.log(addFtzF32);\n';
  const text = esbuildText(folder.write("small.js", code), { minify: true });
  expect(text).toContain("console.log(");
  expect(text.length).toBeLessThan(100);
});
