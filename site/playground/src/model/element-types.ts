// The element types of the buffers behind a kernel's addresses, from how the kernel accesses them.
import type { PtxFunction, PtxModule, PtxOperation, PtxValue } from "@mm-ptx/ptx";
import { ELEMENT_TYPES, type ElementType } from "./state.js";

/** Instructions whose result contains the address of their operands. */
const CARRIES = /^(?:mov|cvta|add|sub|mad|or|and|selp|cvt)\b/;

/** Accesses of global memory, or of memory that is not named. */
const ACCESSES = /^(?:ld|st|atom|red|ldu)\b(?!.*\.(?:param|shared|local|const)\b)/;

/** Instructions in which the sign of integers matters; nvcc also adds and multiplies unsigned numbers as `.s32`. */
const SIGNED = /^(?:setp|set|shr|div|rem|min|max|abs|neg|cvt|mul\.wide|mul\.hi)\b/;

/** Types of accesses that only say how many bits there are. */
const UNTYPED: Readonly<Record<string, ElementType>> = { b8: "u8", b16: "u16", b32: "f32", b64: "u64" };

const isElementType = (type: string): type is ElementType =>
  (ELEMENT_TYPES as readonly string[]).includes(type);

/** The element type of each parameter that the kernel uses as an address, by the parameter's name. */
export function elementTypes(module: PtxModule, entry: PtxFunction): ReadonlyMap<string, ElementType> {
  const operations = operationsOf(module, entry);
  const hints = valueTypes(operations);
  /** The parameters whose addresses a register may contain. */
  const origins = new Map<string, ReadonlySet<string>>();
  const found = new Map<string, ElementType>();
  for (const { opcode, operands } of operations) {
    const [first, ...others] = operands;
    if (first === undefined) continue;
    if (opcode.startsWith("ld.param")) {
      for (const register of namesIn(first)) origins.set(register, new Set(others.flatMap(namesIn)));
    } else if (CARRIES.test(opcode)) {
      const from = new Set(others.flatMap(namesIn).flatMap((name) => [...(origins.get(name) ?? [])]));
      if (from.size > 0) for (const register of namesIn(first)) origins.set(register, from);
    } else if (ACCESSES.test(opcode)) {
      const address = operands.find(({ kind }) => kind === "address");
      const values = operands.filter((operand) => operand !== address).flatMap(namesIn);
      const type = typeOf(opcode, values, hints);
      if (address === undefined || type === undefined) continue;
      for (const register of namesIn(address)) {
        for (const parameter of origins.get(register) ?? []) {
          if (!found.has(parameter)) found.set(parameter, type);
        }
      }
    }
  }
  return found;
}

function operationsOf(module: PtxModule, { statement, bodySpan }: PtxFunction): PtxOperation[] {
  const operations: PtxOperation[] = [];
  const { statements } = module;
  for (let at = statement + 1; at < statements.count && statements.start(at) < (bodySpan?.end ?? 0); at++) {
    if (statements.kind(at) === "instruction") operations.push(module.operation(at));
  }
  return operations;
}

/** The types as which instructions compute with registers: floating-point numbers, and integers whose sign matters. */
function valueTypes(operations: readonly PtxOperation[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const { opcode, operands } of operations) {
    if (/^(?:ld|st|mov)\b/.test(opcode)) continue;
    const parts = opcode.split(".").filter((part) => /^[fsu]\d+$/.test(part));
    const last = parts.at(-1) ?? "";
    if (!last.startsWith("f") && !SIGNED.test(opcode)) continue;
    const [result, ...sources] = operands;
    for (const name of sources.flatMap(namesIn)) types.set(name, last);
    // A conversion has the type of its result first.
    const made = opcode.startsWith("cvt") ? (parts[0] ?? last) : last;
    if (!/^(?:setp|set|mul\.wide)\b/.test(opcode) && result)
      for (const name of namesIn(result)) types.set(name, made);
  }
  return types;
}

function typeOf(
  opcode: string,
  values: readonly string[],
  hints: ReadonlyMap<string, string>,
): ElementType | undefined {
  const type = opcode.split(".").findLast((part) => /^[fbsu]\d+$/.test(part)) ?? "";
  const bits = /\d+$/.exec(type)?.[0];
  const known = values.map((name) => hints.get(name)).find((hint) => hint?.slice(1) === bits);
  if (/^[ub]/.test(type) && known !== undefined && isElementType(known)) return known;
  return isElementType(type) ? type : UNTYPED[type];
}

/** The registers and variables in an operand. */
function namesIn(value: PtxValue): string[] {
  switch (value.kind) {
    case "name":
      return [value.name];
    case "sum":
      return [value.base.name];
    case "address":
    case "vector":
    case "list":
      return value.items.flatMap(namesIn);
    case "pair":
      return [...namesIn(value.first), ...namesIn(value.second)];
    case "negated":
      return [value.value.name];
    default:
      return [];
  }
}
