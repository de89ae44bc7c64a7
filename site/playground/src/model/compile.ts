// From a state to what is launched: the stub of each site, and the kernel with the stubs in place.
import { type AnnotatedPtx, checkStub, type Injection, parsePtx } from "@mm-ptx/inject";
import { type PtxFunction, type PtxModule, readModule } from "@mm-ptx/ptx";
import { type FilledKernel, locateLine, renderText } from "@mm-ptx/types/core";
import { elementTypes } from "./element-types.js";
import type { Parameter } from "./parameters.js";
import { type Problem, problemsOf, sentence } from "./problem.js";
import { type CompiledStack, compileStack, type StackSite, stackSite } from "./stack-site.js";
import type { Dimensions, SiteText } from "./state.js";

/** A site with what its text became. */
export interface CompiledSite extends Omit<CompiledStack, "program"> {
  readonly injection: Injection;
  readonly source: SiteText;
  /** Absent if Stack PTX has no stack for one of the operands. */
  readonly stack?: StackSite;
}

/** A kernel that can be launched. */
export interface Entry {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** The threads of a block that the kernel requires. */
  readonly block: Dimensions | undefined;
}

/** A line of the rendered kernel that a stub contributed. */
export interface LitLine {
  readonly line: number;
  readonly injection: string;
  readonly stubLine: number;
}

/** The result of a compile. */
export interface Compiled {
  /** What is wrong with the kernel itself. */
  readonly problems: readonly Problem[];
  readonly entries: readonly Entry[];
  readonly sites: readonly CompiledSite[];
  /** Absent as long as a site has no stub. */
  readonly filled?: FilledKernel;
  readonly rendered?: string;
  readonly lit: readonly LitLine[];
}

interface ReadKernel {
  readonly text: string;
  readonly annotated: AnnotatedPtx;
  readonly entries: readonly Entry[];
}

let last: ReadKernel | undefined;

/** Reads a kernel, or returns what was read last if the text is the same. */
function read(text: string): ReadKernel {
  if (last?.text === text) return last;
  const annotated = parsePtx(text);
  const module = readModule(text);
  const entries = module.entries.map((entry) => entryOf(module, entry));
  const found = { text, annotated, entries };
  last = found;
  return found;
}

function entryOf(module: PtxModule, entry: PtxFunction): Entry {
  const elements = elementTypes(module, entry);
  const required = entry.directives.find(({ name }) => name === ".reqntid")?.values.map(Number);
  const [x = 1, y = 1, z = 1] = required ?? [];
  return {
    name: entry.name,
    parameters: entry.parameters.map(({ name, type, dimensions, bytes }) => {
      return { name, type, dimensions, bytes, elements: elements.get(name) };
    }),
    block: required === undefined ? undefined : [x, y, z],
  };
}

/** Compiles all sites of a kernel. Sites without a text get an empty program. */
export async function compile(kernel: string, texts: Readonly<Record<string, SiteText>>): Promise<Compiled> {
  if (/__global__/.test(kernel) && !/^\s*\.version/m.test(kernel)) {
    return { problems: [noEntry(kernel)], entries: [], sites: [], lit: [] };
  }
  let parsed: ReadKernel;
  try {
    parsed = read(kernel);
  } catch (error) {
    return { problems: problemsOf(error, kernel), entries: [], sites: [], lit: [] };
  }
  const { annotated, entries } = parsed;
  const sites = await Promise.all(
    annotated.injections.map((injection) =>
      compileSite(injection, texts[injection.name] ?? { language: "stack", text: "" }),
    ),
  );
  const problems = entries.length > 0 ? [] : [noEntry(kernel)];
  const stubs = Object.fromEntries(sites.map(({ injection, stub }) => [injection.name, stub]));
  if (Object.values(stubs).some((stub) => stub === undefined)) return { problems, entries, sites, lit: [] };
  try {
    const filled = annotated.fill(stubs as Record<string, string>);
    const rendered = renderText(filled);
    return { problems, entries, sites, filled, rendered, lit: litLines(filled, rendered) };
  } catch (error) {
    return { problems: [...problems, ...problemsOf(error, kernel)], entries, sites, lit: [] };
  }
}

function noEntry(kernel: string): Problem {
  const message = kernel.includes("__global__")
    ? "Expected PTX, found CUDA: `nvcc -ptx` compiles it, with the folder of `ptx_inject.h` after `-I`"
    : "Expected a kernel (`.entry`), found none";
  return { severity: "error", message };
}

async function compileSite(injection: Injection, source: SiteText): Promise<CompiledSite> {
  const base = { injection, source, pictures: [] };
  if (source.language === "formula") {
    const { compileFormula } = await import("./formula-site.js");
    return { ...base, ...compileFormula(injection, source.text) };
  }
  if (source.language === "ptx") return { ...base, ...compilePtx(injection, source.text) };
  try {
    const stack = stackSite(injection);
    return { ...base, stack, ...compileStack(stack, source.text) };
  } catch (error) {
    return { ...base, problems: problemsOf(error, source.text) };
  }
}

function compilePtx(injection: Injection, text: string): Pick<CompiledSite, "stub" | "problems"> {
  try {
    const warnings = checkStub(text, injection);
    return {
      stub: text,
      problems: warnings.map(({ message, span }) => ({
        severity: "warning",
        message: sentence(message),
        span,
      })),
    };
  } catch (error) {
    return { problems: problemsOf(error, text) };
  }
}

function litLines(filled: FilledKernel, rendered: string): LitLine[] {
  return rendered.split("\n").flatMap((_, index) => {
    const source = locateLine(filled, index + 1);
    if (source?.kind !== "stub") return [];
    return [{ line: index + 1, injection: source.injection, stubLine: source.stubLine }];
  });
}
