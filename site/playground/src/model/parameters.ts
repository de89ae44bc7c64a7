// Arguments and a launch for a kernel that nobody has described.
import {
  type Argument,
  type Dimensions,
  type ElementType,
  type Launch,
  NUMBER_TYPES,
  type NumberType,
} from "./state.js";

/** A parameter of a kernel. */
export interface Parameter {
  readonly name: string;
  /** The PTX type of an element without its dot. */
  readonly type?: string | undefined;
  /** Empty for a single value. */
  readonly dimensions: readonly unknown[];
  readonly bytes: number | undefined;
  /** What the kernel reads or writes at the address that the parameter is, if that is known. */
  readonly elements?: ElementType | undefined;
}

/** The elements of a buffer whose length is not known, and the value of a parameter that probably counts them. */
const COUNT = 256;

/** The types that PTX has for parameters of the same size as a number type. */
const SAME: Readonly<Record<string, NumberType>> = { b8: "u8", b16: "u16", b32: "u32", b64: "u64" };

const isNumberType = (type: string): type is NumberType => (NUMBER_TYPES as readonly string[]).includes(type);

const numberType = ({ type = "", dimensions }: Parameter): NumberType | undefined =>
  dimensions.length > 0 ? undefined : isNumberType(type) ? type : SAME[type];

/** Whether arguments have the kinds of a kernel's parameters. */
export function fits(given: readonly Argument[], parameters: readonly Parameter[]): boolean {
  if (given.length !== parameters.length) return false;
  return given.every((argument, i) => {
    const parameter = parameters[i];
    if (parameter === undefined) return false;
    const type = numberType(parameter);
    if (argument.kind === "buffer") return type === "u64" || type === "s64";
    if (argument.kind === "bytes") return argument.length === (parameter.bytes ?? 0);
    return argument.type === type || (parameter.type?.startsWith("b") === true && type !== undefined);
  });
}

/**
 * Arguments to begin with: addresses are buffers of what the kernel accesses there, or else of f32; integers count their
 * elements; structs are zeros.
 */
export function argumentsFor(parameters: readonly Parameter[]): Argument[] {
  return parameters.map((parameter, i): Argument => {
    const name = parameter.name.replace(/^.*_(param_\d+)$/, "$1");
    const type = numberType(parameter);
    if (type === undefined) return { kind: "bytes", name, length: parameter.bytes ?? 0 };
    if (type === "u64" || type === "s64") {
      const elements = parameter.elements ?? "f32";
      const isFloat = elements.startsWith("f");
      const fill =
        i === 0
          ? ({ from: "range", first: isFloat ? -1 : 0, last: isFloat ? 1 : lastInteger(elements) } as const)
          : ({ from: "zeros" } as const);
      return { kind: "buffer", name, type: elements, length: COUNT, fill, shown: true };
    }
    const isFloat = type.includes("f");
    return {
      kind: "number",
      name,
      type,
      value: isFloat ? 1 : type.endsWith("8") ? 0 : COUNT,
      least: isFloat ? -4 : 0,
      most: isFloat ? 4 : type.endsWith("8") ? 127 : 4 * COUNT,
      step: isFloat ? 0.01 : 1,
    };
  });
}

/** The last value of a ramp 0, 1, 2, … over all elements, limited to the type's largest integer. */
const lastInteger = (type: ElementType): number => (type === "s8" ? 127 : COUNT - 1);

/** A launch with a thread for each element, in blocks of the size that the kernel requires, or else of 64 threads. */
export function launchFor(entry: string, required: Dimensions | undefined): Launch {
  const block = required ?? [64, 1, 1];
  const threads = block[0] * block[1] * block[2];
  return {
    entry,
    grid: [Math.max(1, Math.ceil(COUNT / threads)), 1, 1],
    block,
    sharedBytes: 0,
    lockstep: false,
    cooperative: false,
  };
}
