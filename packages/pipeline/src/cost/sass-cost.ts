// The cost of machine code by pipe, for each kernel and for the code of each site.
import { type CubinInspection, disassembleSass, type SassFunction } from "@mm-ptx/cuda";
import type { StubLine } from "@mm-ptx/types/core";
import { type Check, isAnything, isSignal, isText, isWhole, optionProblem } from "@mm-ptx/types/internal";
import { PipelineError } from "../error.js";
import { readInstruction } from "./instruction.js";
import { bytesWithoutPadding, INSTRUCTION_BYTES } from "./padding.js";
import { type CodeRange, codeRanges, type FilledPtx } from "./ranges.js";
import { type MachineCodeSource, readSource } from "./source.js";
import { type CodeCost, Tally } from "./tally.js";
import { familyOf, type ThroughputFamily } from "./throughput.js";

/** Options of `sassCost`. */
export interface SassCostOptions {
  /** The filled kernel or the pack that was compiled, with `lineInfo: true`; by default that of the compiled module, if it has lines. */
  readonly filled?: FilledPtx;
  /** Reads only this kernel. */
  readonly kernel?: string;
  /** The disassembler's time limit in milliseconds; 60,000 by default. */
  readonly timeoutMs?: number;
  /** Stops the disassembler. */
  readonly signal?: AbortSignal;
}

/** The cost of a stub's code at one site. */
export interface SiteCost extends CodeCost {
  /** The name of the injection; with `expandSites`, that of the alternative, such as `func_17`. */
  readonly injection: string;
  /** Which of the injection's sites, counted from 0. */
  readonly site: number;
  /** In a pack, the variant of the stub, counted from 0. */
  readonly variant?: number;
}

/** The cost of a kernel with its device functions, or of a device function in a section of its own. */
export interface KernelCost extends CodeCost {
  readonly name: string;
  /** The sites that have code here, in order of their code; empty if the lines of the PTX are not known. */
  readonly sites: readonly SiteCost[];
  /** The code that belongs to no site. */
  readonly rest: CodeCost;
}

/** The result of `sassCost`. */
export interface SassCost {
  /** For example, `sm_90a`. */
  readonly architecture: string;
  /** The family whose rates were used: the newest that is not newer than the architecture. */
  readonly rates: ThroughputFamily;
  /** In the order of the cubin. */
  readonly kernels: readonly KernelCost[];
  /** Device functions in sections of their own. */
  readonly functions: readonly KernelCost[];
}

const OPTIONS: Readonly<Record<keyof SassCostOptions, Check>> = {
  filled: isAnything,
  kernel: isText,
  timeoutMs: isWhole(1, 2 ** 31 - 1),
  signal: isSignal,
};

/**
 * Counts the instructions of a cubin by the pipe that executes them, and estimates the issue slots that they take: for each kernel,
 * and for the code of each site if the filled kernel is known and was compiled with `lineInfo: true`. Every instruction counts once,
 * whether it is in a loop, in a branch that is not taken, or predicated. Padding at the end of a kernel is not counted. The rates and
 * their sources are in docs/sass-cost.md.
 *
 * The disassembler of a CUDA toolkit runs in a process of its own, once for all kernels of the cubin.
 *
 * @throws PipelineError INVALID_ARGUMENT: a source or an option is wrong, or `filled` is given for a cubin without lines
 * @throws CubinError `INVALID_CUBIN`; `NOT_FOUND`: the cubin has no such kernel; `UNAVAILABLE`: there is no disassembler, with what to
 * install; `TOOL_FAILED`: it failed, timed out or was stopped
 */
export async function sassCost(source: MachineCodeSource, options: SassCostOptions = {}): Promise<SassCost> {
  const problem = optionProblem(options, OPTIONS);
  if (problem !== undefined) throw new PipelineError("INVALID_ARGUMENT", problem);
  const { filled: given, ...others } = options;
  const { cubin, inspection, filled } = readSource(source, given);
  const { functions } = await disassembleSass(cubin, others);
  return costOfListing(functions, inspection, filled);
}

/** The cost of a listing, whose functions are those of a cubin. */
export function costOfListing(
  listing: readonly SassFunction[],
  {
    arch,
    kernels,
    functions,
    sections,
  }: Pick<CubinInspection, "arch" | "functions" | "kernels" | "sections">,
  filled: FilledPtx | undefined,
): SassCost {
  const rates = familyOf(arch);
  const costs = listing.map((each) => {
    const section = `.text.${each.name}`;
    const code = [...kernels, ...functions].find((known) => known.section === section);
    const bytes = sections.find(({ name }) => name === section)?.bytes;
    const end = bytes === undefined ? Number.POSITIVE_INFINITY : bytesWithoutPadding(bytes);
    const ranges = filled === undefined || code === undefined ? [] : codeRanges(code.ptxLines, filled, end);
    return costOfFunction(each, rates, ranges, end);
  });
  const isKernel = ({ name }: KernelCost): boolean => kernels.some((kernel) => kernel.name === name);
  return {
    architecture: arch,
    rates,
    kernels: costs.filter(isKernel),
    functions: costs.filter((cost) => !isKernel(cost)),
  };
}

/** @param ranges without gaps, or none if nothing is known about sites */
function costOfFunction(
  { name, instructions }: SassFunction,
  family: ThroughputFamily,
  ranges: Iterable<CodeRange>,
  end: number,
): KernelCost {
  const [total, rest] = [new Tally(family), new Tally(family)];
  const sites = new Map<string, { readonly stub: StubLine; readonly tally: Tally }>();
  const tallyOf = (stub: StubLine | undefined): Tally => {
    if (stub === undefined) return rest;
    const key = `${stub.variant ?? ""} ${stub.site} ${stub.injection}`;
    let site = sites.get(key);
    if (site === undefined) {
      site = { stub, tally: new Tally(family) };
      sites.set(key, site);
    }
    return site.tally;
  };
  const walk = ranges[Symbol.iterator]();
  let range = walk.next();
  let tally = range.done ? rest : tallyOf(range.value.stub);
  for (const { offset, text } of instructions) {
    if (offset >= end) break;
    while (!range.done && offset >= range.value.end) {
      range = walk.next();
      tally = range.done ? rest : tallyOf(range.value.stub);
    }
    const instruction = readInstruction(text);
    total.add(instruction, INSTRUCTION_BYTES);
    tally.add(instruction, INSTRUCTION_BYTES);
  }
  return {
    name,
    ...total.cost(),
    sites: [...sites.values()].map(({ stub, tally: own }) => siteCost(stub, own)),
    rest: rest.cost(),
  };
}

function siteCost({ injection, site, variant }: StubLine, tally: Tally): SiteCost {
  return { injection, site, ...(variant === undefined ? {} : { variant }), ...tally.cost() };
}
