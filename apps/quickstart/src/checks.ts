// Whether each cubin is what was asked for: every one is read as an ELF file, and a sample is compared with ptxas.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diffMachineCode, findPtxas, readCubin } from "@mm-ptx/cuda";
import type { FoundCompiler } from "./compiler.js";
import { messageOf } from "./error.js";
import type { Kernel } from "./kernel.js";
import type { ElfCheck, PtxasCheck } from "./report.js";
import { runTool } from "./run-tool.js";

/** How many problems are reported in words; the others are only counted. */
const TOLD = 3;
const PTXAS_TIMEOUT_MS = 60_000;

/** Reads each cubin and counts those that are an ELF for the architecture and contain all entries of the kernel. */
export class ElfChecker {
  readonly #arch: string;
  readonly #entries: readonly string[];
  readonly #problems: string[] = [];
  #passed = 0;
  #total = 0;

  constructor(arch: string, entries: readonly string[]) {
    this.#arch = arch;
    this.#entries = entries;
  }

  check(index: number, cubin: Uint8Array): void {
    this.#total++;
    const problem = this.#problemOf(cubin);
    if (problem === undefined) this.#passed++;
    else if (this.#problems.length < TOLD) this.#problems.push(`program ${index}: ${problem}`);
  }

  result(): ElfCheck {
    return { passed: this.#passed, total: this.#total, problems: this.#problems };
  }

  #problemOf(cubin: Uint8Array): string | undefined {
    try {
      const { arch, entries } = readCubin(cubin);
      if (arch !== this.#arch) return `expected a cubin for ${this.#arch}, found one for ${arch}`;
      const missing = this.#entries.find((entry) => !entries.includes(entry));
      return missing === undefined
        ? undefined
        : `expected the entry \`${missing}\`, found ${entries.join(", ") || "none"}`;
    } catch (error) {
      return messageOf(error);
    }
  }
}

interface Pair {
  readonly index: number;
  readonly stub: string;
  readonly cubin: Uint8Array;
}

/**
 * Keeps a few stubs with their cubins, spread evenly over the programs. The choice does not depend on the order in
 * which compiles finish: each share of the programs keeps the one with the lowest index.
 */
export class Sample {
  readonly #programs: number;
  readonly #size: number;
  readonly #pairs: (Pair | undefined)[];

  constructor(programs: number, size: number) {
    this.#programs = programs;
    this.#size = Math.min(programs, size);
    this.#pairs = new Array<Pair | undefined>(this.#size).fill(undefined);
  }

  offer(index: number, stub: string, cubin: Uint8Array): void {
    const share = Math.floor((index * this.#size) / this.#programs);
    const kept = this.#pairs[share];
    if (kept === undefined || index < kept.index) this.#pairs[share] = { index, stub, cubin };
  }

  pairs(): Pair[] {
    return this.#pairs.filter((pair) => pair !== undefined);
  }
}

/**
 * Compares a sample with ptxas, section by section. The comparison is skipped, with the reason, unless there is a ptxas
 * of exactly the compiler's version: other versions legitimately generate different code.
 */
export async function compareWithPtxas(
  sample: readonly Pair[],
  kernel: Kernel,
  arch: string,
  found: FoundCompiler,
  signal: AbortSignal,
): Promise<PtxasCheck> {
  if (found.compiler === undefined || sample.length === 0) return { skipped: "no cubin to compare" };
  if (signal.aborted) return { skipped: "the run was stopped" };
  if (found.backend === "ptxas") return { skipped: "ptxas itself made the cubins" };
  const ptxas = findPtxas();
  if (ptxas === undefined) return { skipped: "no ptxas on this machine" };
  if (ptxas.version !== found.version) {
    return { skipped: `ptxas is ${ptxas.version}, the compiler is ${found.version}` };
  }
  const problems: string[] = [];
  let equal = 0;
  let compared = 0;
  const folder = await mkdtemp(join(tmpdir(), "mm-ptx-quickstart-"));
  try {
    for (const { index, stub, cubin } of sample) {
      const [source, made] = [join(folder, `${index}.ptx`), join(folder, `${index}.cubin`)];
      await writeFile(source, kernel.render(stub));
      const problem = await runTool(
        ptxas.path,
        [`-arch=${arch}`, source, "-o", made],
        signal,
        PTXAS_TIMEOUT_MS,
      ).then(async () => differences(cubin, await readFile(made)), messageOf);
      if (signal.aborted) break;
      compared++;
      if (problem === undefined) equal++;
      else problems.push(`program ${index}: ${problem}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { version: ptxas.version, equal, compared, problems };
}

function differences(ours: Uint8Array, theirs: Uint8Array): string | undefined {
  const differing = diffMachineCode(ours, theirs);
  return differing.length === 0
    ? undefined
    : `machine code that differs from that of ptxas in ${differing.join(", ")}`;
}
