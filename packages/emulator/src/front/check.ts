// Turns PTX text into a program that can run: reads the module, checks all of it, and reports all problems at once.
import {
  comparePtxVersions,
  type Linkage,
  PTX_VERSIONS,
  PtxError,
  type PtxModule,
  ptxTarget,
  readModule,
  TARGETS,
} from "@mm-ptx/ptx";
import { type FilledKernel, FilledKernelError, type LineOrigins, type LocatedPtx } from "@mm-ptx/types/core";
import { didYouMean, isFilledKernel, isLocatedPtx, locatedPtx, quoted } from "@mm-ptx/types/internal";
import { EmulatorError } from "../error.js";
import type { Problem, ProblemCode } from "../program/problem.js";
import type { Program, ProgramVariable } from "../program/program.js";
import { SEPARATOR } from "../program/texts.js";
import type { ModuleContext } from "./context.js";
import { reportDuplicates } from "./duplicates.js";
import { checkFunction } from "./function.js";
import { linkTexts } from "./link.js";
import { ProblemList, throwProblems } from "./problems.js";
import { Meanings } from "./scope.js";
import { placeShared } from "./shared.js";
import { readVariable } from "./variable.js";

/**
 * Reads and checks a PTX module, which is a text, a filled kernel or a pack, or several of them, which are linked: what
 * is declared `.extern` in one may be defined in another. When this throws, nothing of the module has run.
 *
 * @throws EmulatorError with all problems of the text, each with its code, line and column, and in stubs with
 * injection, site and stub line. Valid PTX that this emulator does not support is not an error: it is among the `notes`
 * of the program, and only launches of kernels that reach it throw `UNSUPPORTED`. An unsupported version, target or
 * address size is an error. `INVALID_ARGUMENT` when `ptx` is not one of these.
 */
export function checkProgram(
  ptx: string | FilledKernel | LocatedPtx | readonly (string | FilledKernel | LocatedPtx)[],
): Program {
  const sources = (isList(ptx) ? ptx : [ptx]).map(sourceOf);
  if (sources.length === 0)
    throw new EmulatorError("INVALID_ARGUMENT", "expected at least one text, found none");
  const texts = sources.map(({ text, origins }, i) => {
    const number = sources.length === 1 ? undefined : i + 1;
    const module = readPtx(text, origins, number);
    return { text, module, problems: new ProblemList(text, origins, number) };
  });
  const { links, variables: count } = linkTexts(texts);
  const variables: ProgramVariable[] = Array.from({ length: count });
  const addressed = new Set<number>();
  let start = 0;
  const contexts = texts.map(({ text, module, problems }, i): ModuleContext => {
    const base = start;
    start += text.length + SEPARATOR.length;
    const { bodies, functions, defined } = links[i]!;
    const declared = new Map([...module.functions, ...bodies].map((one) => [one.name, one]));
    const header = readHeader(module, problems);
    const notes: Problem[] = [];
    const meanings = new Meanings(module);
    return {
      module,
      problems,
      base,
      meanings,
      variables,
      functions,
      declared,
      ...header,
      addressed,
      defined,
      notes,
    };
  });
  contexts.forEach((context, i) => {
    reportDuplicates(
      context,
      context.module.functions.filter(({ scope }) => scope !== undefined),
    );
    declareGlobals(context, links[i]!.variables);
  });
  for (let i = 0; i < count; i++) variables[i] ??= NOT_SUPPORTED;
  const checked = contexts.flatMap((context, i) =>
    links[i]!.bodies.map((body) => checkFunction(context, body)),
  );
  throwProblems(texts.map(({ problems }) => problems));
  const notes = contexts.flatMap((context, i) =>
    [...context.notes, ...checked.flatMap(({ unsupported }) => unsupported)]
      .filter(({ text = 1 }) => text === i + 1)
      .sort((a, b) => a.span.start - b.span.start),
  );
  const { version, target } = contexts[0]!.module;
  return Object.freeze({
    notes: Object.freeze(notes),
    text: texts.map(({ text }) => text).join(SEPARATOR),
    ...(contexts.length === 1 ? {} : { starts: Object.freeze(contexts.map(({ base }) => base)) }),
    version: version!,
    target: target!,
    functions: Object.freeze(placeShared(checked, variables, addressed)),
    variables: Object.freeze(variables),
  });
}

/** Stands for variables that are not supported. No function that can run uses one. */
const NOT_SUPPORTED: ProgramVariable = Object.freeze({
  ...{ name: "", nameSpan: Object.freeze({ start: 0, end: 0 }), space: "global", type: undefined, bytes: 0 },
  ...{ align: 1, offset: 0, extern: true, initial: undefined, relocations: Object.freeze([]) },
});

function sourceOf(ptx: string | FilledKernel | LocatedPtx): { text: string; origins?: LineOrigins } {
  if (!isLocatedPtx(ptx) && !isFilledKernel(ptx)) return { text: ptx };
  const origins = isLocatedPtx(ptx) ? ptx : renderedPtx(ptx);
  return { text: origins.text, origins };
}

/**
 * Renders a filled kernel to its text with the origins of its lines.
 * @throws EmulatorError `INVALID_ARGUMENT`
 */
export function renderedPtx(filled: FilledKernel): LocatedPtx {
  try {
    return locatedPtx(filled);
  } catch (cause) {
    if (cause instanceof FilledKernelError)
      throw new EmulatorError("INVALID_ARGUMENT", cause.message, { cause });
    throw cause;
  }
}

/** @throws EmulatorError with the mistakes that the reader found */
function readPtx(text: string, origins: LineOrigins | undefined, number: number | undefined): PtxModule {
  try {
    return readModule(text);
  } catch (cause) {
    if (!(cause instanceof PtxError)) throw cause;
    const problems = new ProblemList(text, origins, number);
    for (const { span, message } of cause.problems) problems.add("SYNTAX", span, message);
    throwProblems([problems], { total: cause.total, cause });
    throw new EmulatorError("INVALID_ARGUMENT", cause.message, { cause });
  }
}

const WHOLE = { start: 0, end: 0 };

/** The target as a number, in the numbering of `architecture`, and the PTX version. */
function readHeader(module: PtxModule, problems: ProblemList): { target: number; version: number } {
  const spanOf = (name: string) =>
    module.directives.find((directive) => directive.name === name)?.span ?? WHOLE;
  const add = (name: string, [code, message]: HeaderProblem) => problems.add(code, spanOf(name), message);
  const { version = "", target = "" } = module;
  const known = ptxTarget(target);
  const wrongVersion = versionProblem(module.version);
  if (wrongVersion !== undefined) add(".version", wrongVersion);
  if (known === undefined) add(".target", targetProblem(module.target));
  else if (wrongVersion === undefined && comparePtxVersions(version, known.leastPtxVersion) < 0) {
    const expected = `expected \`.version ${known.leastPtxVersion}\` or later for \`${target}\``;
    add(".version", ["TARGET_TOO_LOW", `${expected}, found ${quoted(version)}`]);
  }
  for (const { name, values, span } of module.directives) {
    if (name === ".address_size" && values[0] !== "64")
      problems.expect("UNSUPPORTED", span, "64-bit addresses");
  }
  return { target: known?.number ?? 0, version: Number(version) };
}

type HeaderProblem = readonly [code: ProblemCode, message: string];

function versionProblem(version: string | undefined): HeaderProblem | undefined {
  if (version !== undefined && PTX_VERSIONS.includes(version)) return undefined;
  if (version !== undefined && /^\d+\.\d+$/.test(version)) {
    const range = `\`${PTX_VERSIONS[0]}\` to \`${PTX_VERSIONS.at(-1)}\``;
    return ["UNSUPPORTED", `expected a known PTX version (${range}), found ${quoted(version)}`];
  }
  const found = version === undefined ? "none" : quoted(version);
  return ["SYNTAX", `expected a version such as \`9.0\` after \`.version\`, found ${found}`];
}

function targetProblem(target: string | undefined): HeaderProblem {
  if (target !== undefined && /^sm_\w+$/.test(target)) {
    const hint = didYouMean(
      target,
      TARGETS.map(({ name }) => name),
    );
    const known = "a target of PTX (`TARGETS` of @mm-ptx/ptx lists them)";
    return ["UNSUPPORTED", `expected ${known}, found ${quoted(target)}${hint}`];
  }
  const found = target === undefined ? "none" : quoted(target);
  return ["SYNTAX", `expected an architecture such as \`sm_80\` after \`.target\`, found ${found}`];
}

/** Declares the module's variables. A declaration and its later definition are one variable. */
function declareGlobals(context: ModuleContext, indices: ReadonlyMap<string, number>): void {
  const { module, variables, meanings, problems, notes } = context;
  for (const declared of module.globals) {
    const before = problems.count;
    const variable: ProgramVariable | undefined = readVariable(context, declared);
    if (problems.isUnsupportedSince(before)) {
      notes.push(...problems.takeSince(before));
      meanings.refuseVariable(declared.nameSpan.start);
      continue;
    }
    if (variable === undefined) continue;
    const index = indices.get(variable.name)!;
    if (replaces(declared.linkage, variable, variables[index])) variables[index] = variable;
    meanings.declareVariable(declared.nameSpan.start, { kind: "module-variable", variable: index }, variable);
  }
}

/** Whether a declaration takes the place of an earlier one of the same variable. */
function replaces(
  linkage: Linkage | undefined,
  variable: ProgramVariable,
  before: ProgramVariable | undefined,
): boolean {
  if (before === undefined || before.extern) return before === undefined || !variable.extern;
  if (linkage === "common") return variable.bytes > before.bytes && before.initial === undefined;
  return linkage !== "extern" && linkage !== "weak";
}

const isList = <Item>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);
