// Converts serialized state to the values that this package works with.
import type { StackTable } from "@mm-ptx/types/core";
import { wordsOf } from "@mm-ptx/types/internal";
import { checkOptionValues, invalid } from "../arguments.js";
import { legacyInstead } from "../error.js";
import { detectDialect } from "../legacy/dialect.js";
import { LARGEST_LIMIT, type StackLimits } from "../limits.js";
import { StackProgram } from "../program.js";
import type { StackRegister } from "../register.js";
import { legacyParts } from "./legacy.js";
import { checkNames, type SerializedNames } from "./names.js";
import type { SerializedSize } from "./reader.js";
import { PART_CHECKS } from "./shape.js";
import { hasOperands, tableOf } from "./table.js";
import type {
  SerializedKind,
  SerializedLimits,
  SerializedState,
  SerializedTable,
  SerializedValues,
} from "./values.js";

/** Serialized state, converted to values of this package. */
export interface StackState {
  /** PTX with markers, which `parsePtx` of `@mm-ptx/inject` reads. */
  readonly ptx: string;
  readonly table: StackTable;
  /** The limits of a compiler. A limit above the maximum of a compiler becomes that maximum. */
  readonly limits: StackLimits;
  readonly registers: readonly StackRegister[];
  /** The requests of each injection: indices of registers. */
  readonly requests: readonly (readonly number[])[];
  /** The execution limit of a job. */
  readonly executionLimit: number;
  /** The architecture of the GPU, such as `sm_90`. */
  readonly arch: string;
  readonly programs: readonly StackProgram[];
}

/** The values of several blobs, by kind. */
export type SerializedParts = Partial<SerializedState> & Partial<Omit<SerializedValues, "compiler_state">>;

/**
 * Makes a table, limits, registers, requests and programs from serialized state.
 *
 * Tables of Stack PTX 1.0 do not contain the operand types of instructions, but programs do: pass `instructions` and
 * `stack_info` together, as in `{ ...state.value, instructions: programs.value }`. Programs of 1.0 are converted.
 * @param value the value of `readSerialized`, or an object with the values of several blobs by their kinds
 * @param names what the blobs do not contain
 * @returns an object with those properties for which the value contains data
 * @throws StackPtxError LEGACY_PROGRAM for programs of 1.0 without a table, or with instructions that the table does not
 * have; INVALID_ARGUMENT for a value of another shape, for names that do not fit it, and for operands of more elements
 * than a table can have
 */
export function fromSerialized(
  value: SerializedState & { readonly instructions: SerializedValues["instructions"] },
  names?: SerializedNames,
): StackState;
export function fromSerialized(
  value: SerializedState,
  names?: SerializedNames,
): Omit<StackState, "programs"> & Partial<StackState>;
export function fromSerialized(
  value: SerializedParts | SerializedValues[SerializedKind],
  names?: SerializedNames,
): Partial<StackState>;
export function fromSerialized(
  value: SerializedParts | SerializedValues[SerializedKind],
  names: SerializedNames = {},
): Partial<StackState> {
  checkNames(names);
  const parts = partsOf(value);
  checkOptionValues(parts, PART_CHECKS, { noun: "part" });
  const { compiler_info: limits, extra, registers, requests } = parts;
  const ptx = parts.annotated_ptx ?? parts.ptx;
  return Object.freeze({
    ...(ptx !== undefined && { ptx }),
    ...tableAndPrograms(parts, names),
    ...(limits && { limits: limitsOf(limits) }),
    ...(registers && {
      registers: registers.map(({ name, stack }) => Object.freeze({ name, stackIndex: Number(stack) })),
    }),
    ...(requests && { requests: requests.map((list) => list.map(Number)) }),
    ...(extra && {
      executionLimit: Number(extra.execution_limit),
      arch: `sm_${extra.device_capability_major}${extra.device_capability_minor}`,
    }),
  });
}

/** The parts of a value; one of a single kind is recognized by its shape. */
function partsOf(value: SerializedParts | SerializedValues[SerializedKind]): SerializedParts {
  if (typeof value === "string") return { ptx: value };
  if (Array.isArray(value)) {
    const [first] = value;
    if (first === undefined) return { registers: [], requests: [], instructions: [] };
    if (!Array.isArray(first)) return { registers: value };
    // Empty lists are requests, because every program has a return.
    return value.some((list) => typeof list?.[0] === "string")
      ? { instructions: value }
      : { requests: value };
  }
  if (typeof value !== "object" || value === null) throw invalid("the value of serialized state", value);
  if ("max_ast_size" in value) return { compiler_info: value };
  if ("literal_prefixes" in value) return { stack_info: value };
  if ("execution_limit" in value) return { extra: value };
  return value as SerializedParts;
}

function tableAndPrograms(
  { stack_info: table, instructions }: SerializedParts,
  names: SerializedNames,
): Pick<Partial<StackState>, "programs" | "table"> {
  const programs = instructions?.map(programWords);
  if (table !== undefined) checkIndices(table);
  if (table !== undefined && !hasOperands(table)) {
    const legacy = legacyParts(table, programs ?? [], names);
    return programs === undefined ? { table: legacy.table } : legacy;
  }
  const current = table && tableOf(table, names);
  const { dialect = "1.0" } = names;
  return {
    ...(current && { table: current }),
    ...(programs && {
      programs: programs.map((words, index) => {
        if (detectDialect(words, { complete: true }) !== "1.0") return StackProgram.fromWords(words);
        if (current === undefined)
          throw legacyInstead(`program ${index}, because there is no \`stack_info\` to convert it with,`);
        return StackProgram.fromLegacy(words, { dialect, table: current });
      }),
    }),
  };
}

/** @throws StackPtxError INVALID_ARGUMENT when an index refers to nothing */
function checkIndices({
  instructions,
  special_registers: specials,
  literal_prefixes: stacks,
  arg_types: types,
}: SerializedTable): void {
  const below = (what: string, value: SerializedSize, count: number) => {
    if (value >= count) throw invalid(`${what} below ${count}`, value);
  };
  for (const { stack } of types) below("a stack", stack, stacks.length);
  for (const { arg_types: args = [], ret_types: results = [] } of instructions) {
    for (const type of [...args, ...results]) below("an argument type", type, types.length + 1);
  }
  for (const { arg_type: type } of specials) {
    if (type !== undefined) below("an argument type", type, types.length);
  }
}

function programWords(words: readonly string[]): Uint32Array {
  const bytes = new Uint8Array(8 * words.length);
  words.forEach((word, index) => {
    for (let byte = 0; byte < 8; byte++) {
      bytes[8 * index + byte] = Number.parseInt(word.slice(2 * byte, 2 * byte + 2), 16);
    }
  });
  return wordsOf(bytes);
}

function limitsOf(limits: SerializedLimits): StackLimits {
  const limit = (size: SerializedSize) => Math.min(Number(size), LARGEST_LIMIT);
  return Object.freeze({
    maxAstSize: limit(limits.max_ast_size),
    maxVisitDepth: limit(limits.max_ast_to_visit_stack_depth),
    stackSize: limit(limits.stack_size),
    maxFrameDepth: limit(limits.max_frame_depth),
    storeSize: limit(limits.store_size),
  });
}
