// Stubs as C++: `host.hpp` has the instructions; this file turns lines of stubs into calls of them, compiles
// and runs the program.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { KernelProgram, KernelRegister, ProgramKernel } from "./program-kernel.js";

export const HAS_HOST_COMPILER = spawnSync("g++", ["--version"]).status === 0;
const FLAGS = ["-O1", "-fno-inline", "-frounding-math", "-ffp-contract=off", "-mfma", "-msse4.1", "-w"];
const HEADER = fileURLToPath(new URL("host.hpp", import.meta.url));

const TYPE = /^(pred|[usb](8|16|32|64)|f(32|64)|b?f16(x2)?)$/;
/** Flags that are reserved in C++ or in the header. */
const RENAMED: Readonly<Record<string, string>> = { abs: "abs_", nan: "nan_", finite: "finite_" };

/** The functions that the preprocessed header has. */
function headerNames(): { readonly functions: ReadonlySet<string>; readonly flags: ReadonlySet<string> } {
  const { stdout } = spawnSync("g++", ["-E", "-P", HEADER], { maxBuffer: 2 ** 28, encoding: "utf8" });
  const functions = [...stdout.matchAll(/\bu64 (\w+)\(u64\b/g)].map(([, name]) => name!);
  const flags = [...readFileSync(HEADER, "utf8").matchAll(/(\w+) = 1ull << \d+/g)].map(([, name]) => name!);
  return { functions: new Set(functions), flags: new Set(flags) };
}

/** Whether C++ can compute an instruction. */
export class Host {
  readonly #names = headerNames();

  /** The beginning of a call, `add_f32(rn|ftz`; `undefined` if the header lacks it. */
  call(ptx: string): string | undefined {
    const [name = "", ...words] = ptx.split(".");
    const types = words.filter((word) => TYPE.test(word));
    const flags = words.filter((word) => !TYPE.test(word)).map((word) => RENAMED[word] ?? word);
    const called = [name, ...types].join("_");
    if (!this.#names.functions.has(called) || flags.includes("approx")) return undefined;
    if (!flags.every((flag) => this.#names.flags.has(flag))) return undefined;
    return `${called}(${flags.join("|") || "0"}`;
  }

  /**
   * The results of programs, in the form of `runPrograms`.
   * @param values of the kernel's inputs, one after the other, one for each thread
   */
  run(
    programs: readonly KernelProgram[],
    kernel: ProgramKernel,
    values: BigUint64Array<ArrayBuffer>,
    threads: number,
  ): BigUint64Array {
    const folder = mkdtempSync(join(tmpdir(), "mm-ptx-host-"));
    try {
      const source = join(folder, "programs.cpp");
      writeFileSync(source, this.#source(programs, kernel, threads));
      const built = spawnSync("g++", [...FLAGS, source, "-o", join(folder, "programs")], {
        encoding: "utf8",
      });
      if (built.status !== 0) throw new Error(built.stderr.slice(0, 4000));
      const { stdout } = spawnSync(join(folder, "programs"), {
        input: new Uint8Array(values.buffer),
        maxBuffer: 2 ** 30,
      });
      return new BigUint64Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  #source(programs: readonly KernelProgram[], { inputs, outputs }: ProgramKernel, threads: number): string {
    const functions = programs.map(({ text, writes }, index) => {
      const isUsed = ({ name }: KernelRegister): boolean => text.includes(`%${name}`);
      const reads = inputs.flatMap((register, at) =>
        isUsed(register) ? [`const u64 ${register.name} = in[${at * threads} + t];`] : [],
      );
      const declared = outputs.filter(isUsed).map(({ name }) => `u64 ${name} = 0;`);
      const lines = text.split("\n").map((line) => this.#line(line.trim()));
      const stores = writes.map(({ name }, slot) => `out[${slot * threads} + t] = ${name};`);
      const body = [...reads, ...declared, ...lines, ...stores].join("\n");
      return `static void program${index}(const u64* in, u64* out, int t) {\n${body}\n}`;
    });
    let slot = 0;
    const calls = programs.map(({ writes }, index) => {
      const line = `for (int t = 0; t < ${threads}; t++) program${index}(in, out + ${slot * threads}, t);`;
      slot += writes.length;
      return line;
    });
    return [
      `#include "${HEADER}"`,
      "#include <cstdio>",
      ...functions,
      `static u64 in[${inputs.length * threads}], out[${slot * threads + 1}];`,
      "int main() {",
      `if (fread(in, 8, ${inputs.length * threads}, stdin) != ${inputs.length * threads}) return 1;`,
      ...calls,
      `fwrite(out, 8, ${slot * threads}, stdout);`,
      "}",
    ].join("\n");
  }

  /** A line of a stub as C++. */
  #line(line: string): string {
    if (line === "" || line === "{" || line === "}") return line;
    const [, type, prefix, count] = /^\.reg \.(\w+) %(\w+)<(\d+)>;$/.exec(line) ?? [];
    if (type !== undefined) {
      return `${type.endsWith("64") ? "u64" : "u32"} ${Array.from({ length: Number(count) }, (_, n) => `${prefix}${n}`).join(", ")};`;
    }
    const [, ptx, rest] = /^(\S+) (.*);$/.exec(line) ?? [];
    if (ptx === undefined) throw new Error(`expected a line of a stub, found ${line}`);
    const [target, ...sources] = rest!.split(",").map((operand) => operand.trim());
    const operands = sources.map(operandOf);
    const [result, inverse] = target!.split("|").map(operandOf);
    if (ptx.startsWith("mov.")) return `${result} = ${operands[0]};`;
    const call = this.call(ptx);
    if (call === undefined) throw new Error(`expected an instruction that the host has, found ${ptx}`);
    const assigned = `${result} = ${[call, ...operands].join(", ")});`;
    return inverse === undefined ? assigned : `${assigned} ${inverse} = !${result};`;
  }
}

function operandOf(text: string): string {
  if (text.startsWith("%")) return text.slice(1);
  if (/^0f[0-9a-f]{8}$/i.test(text)) return `0x${text.slice(2)}ull`;
  if (/^0x[0-9a-f]+U?$/i.test(text)) return `${text.replace(/U$/, "")}ull`;
  throw new Error(`expected a register or a constant, found ${text}`);
}
