// A page whose content security policy lacks 'wasm-unsafe-eval' reports every attempt to compile WebAssembly: all packages
// together make one.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { ROOT } from "./support/workspace.js";

const built = (path: string) => JSON.stringify(pathToFileURL(join(ROOT, "packages", path)).href);

const PAGE = `
  let attempts = 0;
  WebAssembly.Module = class { constructor() { attempts++; throw new WebAssembly.CompileError("forbidden"); } };
  const { parsePtx } = await import(${built("inject/dist/index.js")});
  const { register, StackCompiler, StackProgram } = await import(${built("stack/dist/index.js")});
  const { table } = await import(${built("stack/dist/generated/default/index.js")});
  const ast = await import(${built("ast/dist/index.js")});
  const { EmulatedDevice } = await import(${built("emulator/dist/index.js")});

  parsePtx("// PTX_INJECT_START f\\n// PTX_INJECT_END\\n").renderInto({ f: "{}" }, new Uint8Array(3));
  const compiler = new StackCompiler(table);
  for (let i = 0; i < 2; i++) compiler.compile(StackProgram.of(), { registers: [register("x", 0)], requests: [] });
  const instruction = { ptx: "neg.ftz.f32", name: "neg.ftz.f32", args: 1 };
  new ast.AstCompiler({ kind: "ast", fingerprint: "", bases: [], instructions: [instruction] })
    .compile(ast.AstProgram.fromWords(Uint32Array.of(1, 0, 3 | (1 << 16), 0)), { inputs: ["x"], output: "y" });
  const device = EmulatedDevice.open();
  const module = device.load(".version 8.0\\n.target sm_75\\n.address_size 64\\n.visible .entry k()\\n{\\nret;\\n}\\n");
  const { engine } = await device.stream.run(module.kernel("k"), { grid: 1, block: 1 }, []);
  console.log(attempts, engine);
`;

it("WebAssembly that is forbidden is attempted once", () => {
  const words = ["--input-type=module", "-e", PAGE];
  expect(execFileSync(process.execPath, words, { encoding: "utf8" })).toBe("1 interpreter\n");
});
