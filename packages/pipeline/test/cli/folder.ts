// Folders with kernels, programs and configurations for the built program `mm-ptx-pipeline`.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ProgramFolder } from "../../../../tests/support/command-line.js";
import { ROOT } from "../../../../tests/support/workspace.js";
import { KERNEL, LENGTH, TWO_SITES, X } from "../support/kernel.js";

/** A configuration: fields as JavaScript, in place of those that all have. */
export const configText = (fields: Readonly<Record<string, string>> = {}, before = ""): string => {
  const all: Readonly<Record<string, string>> = {
    kernel: '"kernel.ptx"',
    sites: "{ func: textSite() }",
    programs: '"programs.jsonl"',
    launch: `() => ({ grid: 2, block: 32, args: [input(x), output(Float32Array, ${LENGTH}), u32(${LENGTH})] })`,
    ...fields,
  };
  return `import { input, output, outputHash, squaredError, astSite, stackSite, textSite } from "@mm-ptx/pipeline";
import { raw } from "@mm-ptx/pipeline/data";
import { table } from "@mm-ptx/stack/default";
import { u32 } from "@mm-ptx/types/device";
const x = raw("x.bin", Float32Array);
${before}
export default () => ({ ${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ")} });
`;
};

export class PipelineFolder extends ProgramFolder {
  constructor() {
    super("packages/pipeline/dist/cli/main.js");
    mkdirSync(this.path("node_modules/@mm-ptx"), { recursive: true });
    for (const name of ["pipeline", "stack", "ast", "emulator", "inject", "types"])
      symlinkSync(join(ROOT, "packages", name), this.path(`node_modules/@mm-ptx/${name}`), "dir");
    this.write("kernel.ptx", KERNEL.text);
    this.write("two.ptx", TWO_SITES.text);
    this.write("x.bin", new Uint8Array(X.buffer, X.byteOffset, X.byteLength));
  }

  /** Writes a configuration. Modules are loaded once in a process, so each has its own name. */
  config(name: string, fields: Readonly<Record<string, string>> = {}, before = ""): string {
    this.write(name, configText(fields, before));
    return name;
  }

  lines(name: string, values: readonly unknown[]): void {
    this.write(name, values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  }

  // biome-ignore lint/suspicious/noExplicitAny: lines of JSON
  results(text: string): any[] {
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }
}
