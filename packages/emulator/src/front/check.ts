// From PTX text to a program that can run: reads the module, checks all of it, and names everything that is wrong at once.
import { PtxError, type PtxFunction, type PtxModule, readModule } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/core";
import { EmulatorError } from "../error.js";
import type { Match } from "../isa/match.js";
import type { Program, ProgramVariable } from "../program/program.js";
import type { ModuleContext } from "./context.js";
import { reportDuplicates } from "./duplicates.js";
import { checkFunction } from "./function.js";
import { ProblemList } from "./problems.js";
import { Meanings } from "./scope.js";
import { placeShared } from "./shared.js";
import { readVariable } from "./variable.js";

/**
 * Reads and checks a PTX module. Nothing of it has run when this throws.
 * @throws EmulatorError with everything that is wrong in the text, each with its code, line and column: what is no PTX, and what
 * is PTX that this emulator does not have (UNSUPPORTED); INVALID_INPUT when it is no text.
 */
export function checkProgram(text: string): Program {
  const module = readPtx(text);
  const problems = new ProblemList(text);
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
  };
  reportDuplicates(context, bodies);
  declareGlobals(context);
  const matches = new Map<string, readonly Match[]>();
  const checked = bodies.map((body) => checkFunction(context, body, matches));
  problems.throwIfAny();
  return Object.freeze({
    text,
    version: module.version!,
    target: module.target!,
    functions: Object.freeze(placeShared(checked, context.variables, context.addressed)),
    variables: Object.freeze(context.variables),
  });
}

/** @throws EmulatorError with the mistakes that the reader found */
function readPtx(text: string): PtxModule {
  try {
    return readModule(text);
  } catch (cause) {
    if (!(cause instanceof PtxError)) throw cause;
    if (cause.code === "INVALID_INPUT") throw new EmulatorError("INVALID_INPUT", cause.message, { cause });
    const problems = cause.problems.map((problem) => ({ ...problem, code: "SYNTAX" as const }));
    throw new EmulatorError("SYNTAX", cause.message, { problems, cause });
  }
}

const WHOLE = { start: 0, end: 0 };

function readHeader(module: PtxModule, problems: ProblemList): { target: number; version: number } {
  const spanOf = (name: string) =>
    module.directives.find((directive) => directive.name === name)?.span ?? WHOLE;
  const version = Number(module.version);
  if (!/^\d+\.\d+$/.test(module.version ?? "")) {
    const found = module.version === undefined ? "none" : quoted(module.version);
    problems.add(
      "SYNTAX",
      spanOf(".version"),
      `expected a version such as \`9.0\` behind \`.version\`, found ${found}`,
    );
  }
  const target = /^sm_(\d+)[af]?$/.exec(module.target ?? "")?.[1];
  if (target === undefined) {
    const found = module.target === undefined ? "none" : quoted(module.target);
    const message = `expected an architecture such as \`sm_80\` behind \`.target\`, found ${found}`;
    problems.add("SYNTAX", spanOf(".target"), message);
  }
  for (const { name, values, span } of module.directives) {
    if (name === ".address_size" && values[0] !== "64")
      problems.expect("UNSUPPORTED", span, "addresses of 64 bits");
  }
  return { target: Number(target ?? 0), version };
}

/** Indices of functions with a body by their names, and by those that `.alias` gives them. */
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

/** Variables of the module. What is declared first and defined later is one variable. */
function declareGlobals(context: ModuleContext): void {
  const { module, variables, meanings } = context;
  const indices = new Map<string, number>();
  for (const declared of module.globals) {
    const variable: ProgramVariable | undefined = readVariable(context, declared);
    if (variable === undefined) continue;
    const known = indices.get(variable.name);
    const index = known ?? variables.length;
    indices.set(variable.name, index);
    if (known === undefined || !variable.extern) variables[index] = variable;
    meanings.declareVariable(declared.nameSpan.start, { kind: "module-variable", variable: index }, variable);
  }
}
