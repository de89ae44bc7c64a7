// The layout of kernel files: little-endian u32 words in blocks with checksums, as in program files. docs/kernel-file.md
// of the repository describes it byte by byte.
import type { AstTable, InjectTypes, StackTable } from "../core/table.js";
import { type BlockFormat, LONGEST_BODY } from "../internal/blocks.js";
import { describeValue } from "../internal/describe.js";
import { fingerprintOfTable } from "../internal/fingerprint.js";
import {
  type Check,
  type Checks,
  isList,
  isOneOf,
  isRecord,
  isText,
  isWhole,
  optionProblem,
  unexpected,
} from "../internal/option-checks.js";
import { whyNoTable } from "../internal/table-form.js";

/** Magic of `MMKRN`, and version. */
export const FORMAT: BlockFormat = { name: "kernel file", magic: [0x4b4d4d89, 0x0a0d4e52], version: 1 };

/** The kinds of blocks in their order, as four ASCII letters. */
export const BLOCKS = [
  { name: "HEAD", kind: 0x44414548 },
  { name: "TEXT", kind: 0x54584554 },
  { name: "PROG", kind: 0x474f5250 },
] as const;

/** How a kernel file differs from its value in memory. */
interface Forms {
  /** The form of a list of programs. */
  readonly programs: Check;
  /** The form of a number that may be Infinity. */
  readonly limit: Check;
  /** The form of a table of a kind, or of its fingerprint. */
  readonly table: (kind: Table["kind"]) => Check;
}

type Table = AstTable | InjectTypes | StackTable;

const isTable =
  (kind: Table["kind"]): Check =>
  (value, name) => {
    if (typeof value === "string") {
      return /^[0-9a-f]{64}$/.test(value)
        ? undefined
        : unexpected(name, "a fingerprint of 64 hex digits", value);
    }
    const found = whyNoTable(value);
    if (found !== undefined) return `option \`${name}\`: expected a table, found ${found}`;
    const table = value as Table;
    return table.kind === kind ? undefined : unexpected(`${name}.kind`, `\`${kind}\``, table.kind);
  };

/** A table that has the fingerprint of its content. */
const isSoundTable =
  (kind: Table["kind"]): Check =>
  (value, name) => {
    const problem = isTable(kind)(value, name);
    if (problem !== undefined || typeof value === "string") return problem;
    const table = value as Table;
    const fingerprint = fingerprintOfTable(table);
    return table.fingerprint === fingerprint
      ? undefined
      : unexpected(`${name}.fingerprint`, `${fingerprint}, that of its content`, table.fingerprint);
  };

const isLimitsOf =
  (limit: Check): Check =>
  (value, name) => {
    if (value === "reference") return undefined;
    if (!isObject(value)) return unexpected(name, "limits by name or `reference`", value);
    for (const [key, one] of Object.entries(value as object)) {
      const problem = limit(one, `${name}.${key}`);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

const isRegister = isRecord({ name: isText, stackIndex: isWhole(0, 0xffff) });

const checksOf = ({ programs, limit, table }: Forms) => ({
  arch: isText,
  types: table("inject"),
  registerPrefix: isText,
  stack: isRecord(
    {
      table: table("stack"),
      jobs: isList(
        isRecord({
          site: isText,
          job: isRecord(
            { registers: isList(isRegister), requests: isList(isWhole(0, 0xffffffff)) },
            { executionLimit: limit },
          ),
          programs,
        }),
      ),
    },
    { limits: isLimitsOf(limit), requestCopies: isOneOf(["parallel", "sequential"]), routines: programs },
  ),
  ast: isRecord(
    {
      table: table("ast"),
      jobs: isList(
        isRecord({ site: isText, job: isRecord({ inputs: isList(isText), output: isText }), programs }),
      ),
    },
    { limits: isLimitsOf(limit), routines: programs },
  ),
});

const isWords: Check = (value, name) => {
  if (!(value instanceof Uint32Array)) return unexpected(name, "a Uint32Array", value);
  return value.length % 2 === 0
    ? undefined
    : `option \`${name}\`: expected two words per instruction, found ${value.length} words`;
};

const isNumber: Check = (value, name) =>
  typeof value === "number" && value >= 0 ? undefined : unexpected(name, "a number of at least 0", value);

const IN_MEMORY = { programs: isList(isWords), limit: isNumber };
const VALUE_CHECKS = { ptx: isText, ...checksOf({ ...IN_MEMORY, table: isSoundTable }) };
const FORM_CHECKS = { ptx: isText, ...checksOf({ ...IN_MEMORY, table: isTable }) };
const HEAD_CHECKS = checksOf({
  table: isSoundTable,
  programs: isList(isWhole(0, LONGEST_BODY / 8)),
  limit: (value, name) => (value === null ? undefined : isNumber(value, name)),
});

const isObject = (value: unknown): boolean => Object.prototype.toString.call(value) === "[object Object]";

/** What is wrong with a value to write, if anything. */
export const valueProblem = (value: unknown): string | undefined => problemWith(value, VALUE_CHECKS);

/** What is wrong with the form of a kernel file, if anything. */
export const kernelFileProblem = (value: unknown): string | undefined => problemWith(value, FORM_CHECKS);

function problemWith(value: unknown, checks: Checks): string | undefined {
  try {
    if (isObject(value)) return optionProblem(value, checks, { noun: "property", required: ["ptx"] });
  } catch {
    // A getter threw.
  }
  return `expected a kernel file, found ${describeValue(value)}`;
}

/** What is wrong with the JSON of a file, if anything. */
export function headProblem(head: unknown): string | undefined {
  if (!isObject(head)) return `expected an object, found ${describeValue(head)}`;
  return optionProblem(head, HEAD_CHECKS, { noun: "property" });
}
