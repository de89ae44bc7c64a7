// Small PTX modules with sites, and packs of them, for the tests of packing.
import { readModule } from "@mm-ptx/ptx";
import { type PackOptions, pack, parsePtx } from "../../src/index.js";
import { site } from "./helpers.js";

export const HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n";
export const SITE = site("func", "_x0 m f32 F32 x");

/** A kernel with a parameter and the given body. */
export const entry = (name: string, body: string): string =>
  `.visible .entry ${name}(\n\t.param .u64 ${name}_param_0\n)\n{\n\t.reg .b64 %rd<4>;\n\tld.param.u64 %rd1, [${name}_param_0];\n${body}\tret;\n}\n`;
/** A device function. */
export const func = (name: string, body: string): string =>
  `.func ${name}()\n{\n\t.reg .b64 %rd<4>;\n${body}\tret;\n}\n`;
export const call = (name: string): string => `\tcall.uni ${name}, ();\n`;
export const text = (...declarations: readonly string[]): string => `${HEAD}\n${declarations.join("\n")}`;

export const packed = (source: string, options?: PackOptions, count = 2): ReturnType<typeof pack> => {
  const annotated = parsePtx(source);
  const stubs = Array.from({ length: count }, (_, i) =>
    Object.fromEntries(annotated.injections.map(({ name }) => [name, `\t// ${name} of ${i}`])),
  );
  return pack(annotated, stubs, options);
};

/** The names of a pack's functions and variables, in order. */
export const declared = (ptx: string): string[] => {
  const { functions, globals } = readModule(ptx);
  return [...functions, ...globals]
    .sort((a, b) => a.nameSpan.start - b.nameSpan.start)
    .map(({ name }) => name);
};
