// The options of stack spaces: what genomes consist of, for which job, and how long they are.
import {
  type RoutineLibrary,
  type StackCompileJob,
  StackCompiler,
  StackProgram,
  siteJob,
} from "@mm-ptx/stack";
import type { InstructionKind, ProgramSamplerOptions } from "@mm-ptx/stack/random";
import type { ConstantType, SiteOperand, StackTable } from "@mm-ptx/types/core";
import { isAnything, isNumber, isObject, isWhole, unknownName } from "@mm-ptx/types/internal";
import { invalid, readOptions } from "../options.js";
import type { Plain } from "../plain.js";
import { type ConstantChoice, type ConstantSource, constantSource } from "./stack-constants.js";
import { inlinedLibrary, type StackFunctions } from "./stack-functions.js";
import { type InstructionChoice, instructionWeights, refuse, usedStacks } from "./stack-instructions.js";

/** What the genomes of a stack space are. Either `operands` or `job` is needed. */
export interface StackSpaceOptions {
  /** The operands of an injection site, such as `annotated.injection("func").operands`. */
  readonly operands?: readonly SiteOperand[];
  /** The stacks of operands' type tokens, as `siteJob` of `@mm-ptx/stack` takes them. */
  readonly types?: Readonly<Record<string, string>>;
  /** The registers that programs read and write, in place of `operands`. */
  readonly job?: StackCompileJob;
  /**
   * The indices of the registers that programs may read. By default these are the `in` and `mod` operands, or all registers that the
   * job does not request.
   */
  readonly inputs?: readonly number[];
  /**
   * The PTX instructions that programs consist of, by the names of the table, or a weight for each. By default these are all that
   * straight-line code has on the stacks of the registers.
   */
  readonly instructions?: InstructionChoice;
  /** Functions of several instructions by name, each of which is one gene and costs 1. */
  readonly functions?: StackFunctions;
  /** The constants of each type: see `ConstantChoice`. */
  readonly constants?: Readonly<Partial<Record<ConstantType, ConstantChoice>>>;
  /** The weights of the kinds of genes: see `ProgramSamplerOptions.kinds`, which has the defaults. */
  readonly kinds?: Readonly<Partial<Record<InstructionKind, number>>>;
  /** The weights of the operations on stacks: see `ProgramSamplerOptions.operations`. */
  readonly operations?: ProgramSamplerOptions["operations"];
  /** The slots for store and load. The default is 4. */
  readonly slots?: number;
  /** The number of genes of random genomes. The default is 8 to 32, or fewer if `maxLength` is less. */
  readonly length?: number | { readonly min: number; readonly max: number };
  /** The most genes of a genome, up to 4,096. The default is 64. */
  readonly maxLength?: number;
  /** How many PTX instructions the stub of a genome has at least and at most. By default anything is allowed. */
  readonly minLines?: number;
  readonly maxLines?: number;
  /** The cost of PTX instructions and functions by name; the default, also for those that are not named, is 1. */
  readonly costs?: Readonly<Record<string, number>>;
  /** The cost of each use of a constant and of an input. The default is 0. */
  readonly constantCost?: number;
  readonly inputCost?: number;
  /** The probability with which the operator `umad` adds a gene beside each gene. The default is 0.1. */
  readonly umadRate?: number;
}

const MOST_GENES = 4096;
const DEFAULT_LENGTH = { min: 8, max: 32 };
const KINDS_WITHOUT_SPECIAL = { special: 0 };

/** Checked options with all defaults filled in. */
export interface StackSettings {
  readonly job: StackCompileJob;
  /** The indices of the registers that genomes may read, ascending. */
  readonly inputs: readonly number[];
  readonly library: RoutineLibrary;
  readonly sampler: ProgramSamplerOptions;
  readonly constants: Readonly<Partial<Record<ConstantType, ConstantSource>>>;
  readonly maxLength: number;
  readonly minLines: number;
  readonly maxLines: number;
  readonly umadRate: number;
  readonly costs: Readonly<Record<string, number>>;
  readonly constantCost: number;
  readonly inputCost: number;
  readonly description: Plain;
}

/** Reads the options of a space. @throws SearchError INVALID_ARGUMENT; StackPtxError for what `@mm-ptx/stack` checks */
export function stackSettings(table: StackTable, options: StackSpaceOptions): StackSettings {
  const taken = readOptions<StackSpaceOptions>(options, {
    operands: isAnything,
    types: isAnything,
    job: isAnything,
    inputs: isAnything,
    instructions: isAnything,
    functions: isObject,
    constants: isObject,
    kinds: isObject,
    operations: isObject,
    slots: isWhole(0, 16),
    length: isAnything,
    maxLength: isWhole(1, MOST_GENES),
    minLines: isWhole(0, MOST_GENES),
    maxLines: isWhole(0, MOST_GENES),
    costs: isObject,
    constantCost: isNumber(0, Number.MAX_SAFE_INTEGER),
    inputCost: isNumber(0, Number.MAX_SAFE_INTEGER),
    umadRate: isNumber(0, 1),
  });
  const { maxLength = 64, slots = 4, kinds = {}, operations = {}, umadRate = 0.1, costs = {} } = taken;
  const { minLines = 0, maxLines = Number.POSITIVE_INFINITY, constantCost = 0, inputCost = 0 } = taken;
  const { job, inputs } = readJob(table, taken);
  const library = inlinedLibrary(taken.functions ?? {});
  const usable = instructionWeights(table, taken.instructions, job, library);
  const used = table.instructions.filter((instruction) => usable(instruction) > 0);
  const stacks = usedStacks(table, used, job, library);
  const constants = Object.fromEntries(
    Object.entries(taken.constants ?? {}).flatMap(([type, choice]) =>
      choice === undefined ? [] : [[type, constantSource(type as ConstantType, choice)]],
    ),
  ) as StackSettings["constants"];
  const length = taken.length ?? {
    min: Math.min(DEFAULT_LENGTH.min, maxLength),
    max: Math.min(DEFAULT_LENGTH.max, maxLength),
  };
  const sampler: ProgramSamplerOptions = {
    length,
    registers: job.registers,
    inputs,
    routines: library.routines.length,
    slots,
    kinds: { ...KINDS_WITHOUT_SPECIAL, ...kinds },
    stacks: Object.fromEntries([...stacks].map((stack) => [table.stackTypes[stack]!.name, 1])),
    instructions: usable,
    operations,
    constants: Object.fromEntries(Object.entries(constants).map(([type, { draw }]) => [type, draw])),
  };
  checkCosts(table, library, costs);
  const longest = typeof length === "number" ? length : length?.max;
  if (typeof longest === "number" && longest > maxLength) {
    throw invalid(`\`length\` of at most \`maxLength\`, which is ${maxLength},`, longest);
  }
  if (minLines > maxLines)
    throw invalid(`\`minLines\` of at most \`maxLines\`, which is ${maxLines},`, minLines);
  return {
    job,
    inputs,
    library,
    sampler,
    constants,
    maxLength,
    minLines,
    maxLines,
    umadRate,
    costs,
    constantCost,
    inputCost,
    description: {
      table: table.fingerprint,
      registers: job.registers.map(({ name, stackIndex }) => [name, stackIndex]),
      requests: Array.from(job.requests),
      inputs,
      instructions: Object.fromEntries(used.map((instruction) => [instruction.name, usable(instruction)])),
      functions: [...library].map(([name, program]) => [name, program.hash()]),
      constants: Object.fromEntries(
        Object.entries(constants).map(([type, { description }]) => [type, description]),
      ),
      kinds: definedOf(kinds),
      operations: definedOf(operations),
      slots,
      length: typeof length === "number" ? length : { min: length.min, max: length.max },
      maxLength,
      minLines,
      maxLines: Number.isFinite(maxLines) ? maxLines : null,
      costs: definedOf(costs),
      constantCost,
      inputCost,
      umadRate,
    },
  };
}

const definedOf = (weights: Readonly<Record<string, number | undefined>>): Plain =>
  Object.fromEntries(
    Object.entries(weights).filter((entry): entry is [string, number] => entry[1] !== undefined),
  );

/** The job, and the registers that programs may read. */
function readJob(
  table: StackTable,
  { operands, types, job: given, inputs: chosen }: StackSpaceOptions,
): { job: StackCompileJob; inputs: readonly number[] } {
  if ((operands === undefined) === (given === undefined)) {
    throw invalid("one of `operands` and `job`", operands === undefined ? undefined : "both");
  }
  if (types !== undefined && operands === undefined) throw invalid("`types` only with `operands`", types);
  const job =
    operands === undefined ? given! : siteJob(table, operands, types === undefined ? {} : { types });
  // The compiler checks everything about the job.
  new StackCompiler(table).analyze(StackProgram.of(), job);
  if (job.requests.length === 0) throw invalid("a job that requests a register", "no requests");
  const requested = new Set(Array.from(job.requests));
  const readable = Array.from(job.registers.keys()).filter((register) =>
    operands === undefined ? !requested.has(register) : operands[register]!.direction !== "out",
  );
  if (chosen === undefined) return { job, inputs: readable };
  if (!Array.isArray(chosen)) throw invalid("`inputs` as indices of registers", chosen);
  const inputs = [...new Set<number>(chosen)].sort((a, b) => a - b);
  for (const register of inputs) {
    if (job.registers[register] === undefined || operands?.[register]?.direction === "out") {
      throw invalid("`inputs` as indices of registers that can be read", register);
    }
  }
  return { job, inputs };
}

function checkCosts(
  table: StackTable,
  library: RoutineLibrary,
  costs: Readonly<Record<string, number>>,
): void {
  const names = [...table.instructions.map(({ name }) => name), ...library.names];
  refuse(unknownName(Object.keys(costs), names, { noun: "instruction or function" }));
  for (const [name, cost] of Object.entries(costs)) {
    if (cost !== undefined && !(typeof cost === "number" && cost >= 0 && cost <= Number.MAX_SAFE_INTEGER)) {
      throw invalid(`a number of at least 0 as the cost of \`${name}\``, cost);
    }
  }
}
