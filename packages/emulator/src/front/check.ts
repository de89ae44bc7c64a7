// Turns PTX text into a program that can run: reads the module, checks all of it, and reports all problems at once.
import {
  comparePtxVersions,
  PTX_VERSIONS,
  PtxError,
  type PtxFunction,
  type PtxModule,
  ptxTarget,
  readModule,
  TARGETS,
} from "@mm-ptx/ptx";
import { type FilledKernel, FilledKernelError, type LineOrigins, type LocatedPtx } from "@mm-ptx/types/core";
import { didYouMean, isFilledKernel, isLocatedPtx, locatedPtx, quoted } from "@mm-ptx/types/internal";
import { EmulatorError, type ProblemCode } from "../error.js";
import type { Program, ProgramVariable } from "../program/program.js";
import type { ModuleContext } from "./context.js";
import { reportDuplicates } from "./duplicates.js";
import { checkFunction } from "./function.js";
import { ProblemList } from "./problems.js";
import { Meanings } from "./scope.js";
import { placeShared } from "./shared.js";
import { readVariable } from "./variable.js";

/**
 * Reads and checks a PTX module, which is a text, a filled kernel or a pack. When this throws, nothing of the module
 * has run.
 *
 * @throws EmulatorError with all problems of the text, each with its code, line and column, and in stubs with
 * injection, site and stub line. Valid PTX that this emulator does not support is no error: it is among the `notes`
 * of the program, and only launches of kernels that reach it throw `UNSUPPORTED`. A version, a target or an address
 * size that it does not support is one.
 * `INVALID_ARGUMENT` when `ptx` is not one of these.
 */
export function checkProgram(ptx: string | FilledKernel | LocatedPtx): Program {
  const { text, origins } = sourceOf(ptx);
  const module = readPtx(text, origins);
  const problems = new ProblemList(text, origins);
  const { target, version } = readHeader(module, problems);
  const bodies = module.functions.filter(({ scope }) => scope !== undefined);
  const context: ModuleContext = {
    module,
    problems,
    meanings: new Meanings(module),
    variables: [],
    functions: functionIndices(module, bodies),
    declared: new Map([...module.functions, ...bodies].map((one) => [one.name, one])),
    target,
    version,
    addressed: new Set(),
    defined: new Set(module.globals.filter(({ linkage }) => linkage !== "extern").map(({ name }) => name)),
    notes: [],
  };
  reportDuplicates(context, bodies);
  declareGlobals(context);
  const checked = bodies.map((body) => checkFunction(context, body));
  problems.throwIfAny();
  const notes = [...context.notes, ...checked.flatMap(({ unsupported }) => unsupported)];
  return Object.freeze({
    notes: Object.freeze(notes.sort((a, b) => a.span.start - b.span.start)),
    text,
    version: module.version!,
    target: module.target!,
    functions: Object.freeze(placeShared(checked, context.variables, context.addressed)),
    variables: Object.freeze(context.variables),
  });
}

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
function readPtx(text: string, origins: LineOrigins | undefined): PtxModule {
  try {
    return readModule(text);
  } catch (cause) {
    if (!(cause instanceof PtxError)) throw cause;
    const problems = new ProblemList(text, origins);
    for (const { span, message } of cause.problems) problems.add("SYNTAX", span, message);
    problems.throwIfAny({ total: cause.total, cause });
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

/** Maps the names of functions with a body, and their `.alias` names, to their indices. */
function functionIndices(module: PtxModule, bodies: readonly PtxFunction[]): Map<string, number> {
  const indices = new Map<string, number>();
  bodies.forEach(({ name }, index) => {
    if (!indices.has(name)) indices.set(name, index);
  });
  for (const { name, values } of module.directives) {
    const index = name === ".alias" ? indices.get(values[1] ?? "") : undefined;
    if (index !== undefined) indices.set(values[0]!, index);
  }
  return indices;
}

/** Declares the module's variables. A declaration and its later definition are one variable. */
function declareGlobals(context: ModuleContext): void {
  const { module, variables, meanings, problems, notes } = context;
  const indices = new Map<string, number>();
  for (const declared of module.globals) {
    const before = problems.count;
    const variable: ProgramVariable | undefined = readVariable(context, declared);
    if (problems.isUnsupportedSince(before)) {
      notes.push(...problems.takeSince(before));
      meanings.refuseVariable(declared.nameSpan.start);
      continue;
    }
    if (variable === undefined) continue;
    const known = indices.get(variable.name);
    const index = known ?? variables.length;
    indices.set(variable.name, index);
    if (known === undefined || !variable.extern) variables[index] = variable;
    meanings.declareVariable(declared.nameSpan.start, { kind: "module-variable", variable: index }, variable);
  }
}
