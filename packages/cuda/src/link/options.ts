// What is linked, and how: inputs and options, each checked, and what the library calls them.

import { describeValue } from "@mm-ptx/types/core";
import {
  type Check,
  checkOptions,
  isArch,
  isBoolean,
  isLine,
  isSignal,
  isTimeout,
  isWhole,
} from "../toolkit/checks.js";
import { LinkError } from "./error.js";

/** A piece of what is linked: machine code, PTX, or what a `CudaCompiler` made with `output: "ltoir"`. */
export type LinkInput = {
  /** In messages; default `input 1` and so on. */
  readonly name?: string;
} & ({ readonly cubin: Uint8Array } | { readonly ptx: string | Uint8Array } | { readonly ltoir: Uint8Array });

/** Options of one link. */
export interface LinkOptions {
  /** The architecture of the cubin, for example `sm_90`; cubins among the inputs have to be for it. */
  readonly arch: string;
  /** Optimises across inputs. Needed for LTO-IR, and the default where there is some. */
  readonly lto?: boolean;
  /** `false` optimises nothing (-O0). Default true (-O3). For PTX and LTO-IR, as all below. */
  readonly optimize?: boolean;
  /** The most registers a thread may use, 1 to 255. */
  readonly maxRegisters?: number;
  readonly lineInfo?: boolean;
  /** Keeps what a debugger needs. */
  readonly debug?: boolean;
  /** `false` keeps `mul` and `add` apart. Default true. For LTO-IR. */
  readonly fmad?: boolean;
  /** Ends the call with `ABORTED`; `cause` is the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds that the link may take, counted from its start; default: no limit. */
  readonly timeoutMs?: number;
}

/** What an input may be. */
export type InputKind = "cubin" | "ptx" | "ltoir";

/** An input with its name. */
export interface ResolvedInput {
  readonly kind: InputKind;
  readonly name: string;
  readonly data: string | Uint8Array;
}

const KINDS: readonly InputKind[] = ["cubin", "ptx", "ltoir"];

const CHECKS: Readonly<Record<keyof LinkOptions, Check>> = {
  arch: isArch,
  lto: isBoolean,
  optimize: isBoolean,
  maxRegisters: isWhole(1, 255),
  lineInfo: isBoolean,
  debug: isBoolean,
  fmad: isBoolean,
  signal: isSignal,
  timeoutMs: isTimeout,
};

/** @throws LinkError `INVALID_OPTION` */
export function linkArguments(options: LinkOptions, inputs: readonly ResolvedInput[]): string[] {
  const problem = checkOptions(options, CHECKS, ["arch"]) ?? conflictIn(options, inputs);
  if (problem !== undefined) throw new LinkError("INVALID_OPTION", problem);
  const { arch, optimize = true, maxRegisters, lineInfo, debug, fmad = true } = options;
  const lto = options.lto ?? hasLtoIr(inputs);
  return [
    `-arch=${arch}`,
    ...(optimize ? [] : ["-O0"]),
    ...(lto ? ["-lto"] : []),
    ...(maxRegisters === undefined ? [] : [`-maxrregcount=${maxRegisters}`]),
    ...(lineInfo ? ["-lineinfo"] : []),
    ...(debug ? ["-g"] : []),
    ...(fmad ? [] : ["-fma=0"]),
  ];
}

const hasLtoIr = (inputs: readonly ResolvedInput[]): boolean => inputs.some(({ kind }) => kind === "ltoir");

function conflictIn(
  { lto, debug, lineInfo }: LinkOptions,
  inputs: readonly ResolvedInput[],
): string | undefined {
  if (debug && lineInfo)
    return "options `debug` and `lineInfo`: expected one of them, as `debug` keeps line numbers too";
  if (lto === false && hasLtoIr(inputs))
    return "option `lto`: expected true, as there is LTO-IR among the inputs";
  return undefined;
}

/** @throws LinkError `REFUSED_INPUT` */
export function resolveInputs(inputs: readonly LinkInput[]): ResolvedInput[] {
  if (!Array.isArray(inputs) || inputs.length === 0)
    throw new LinkError("REFUSED_INPUT", `expected a list of inputs, found ${describeValue(inputs)}`);
  return inputs.map(resolveInput);
}

function resolveInput(input: unknown, index: number): ResolvedInput {
  const place = `input ${index + 1}`;
  const refuse = (expected: string, found: unknown): never => {
    throw new LinkError("REFUSED_INPUT", `${place}: expected ${expected}, found ${describeValue(found)}`, {
      input: place,
    });
  };
  if (typeof input !== "object" || input === null)
    return refuse("an object with `cubin`, `ptx` or `ltoir`", input);
  const values = input as Record<string, unknown>;
  const kinds = KINDS.filter((each) => values[each] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1)
    return refuse("one of `cubin`, `ptx` and `ltoir`", kinds.join(" and "));
  const { name = place } = values;
  if (!isLine(name)) return refuse("a name of one line", name);
  const data = values[kind];
  const text = kind === "ptx" && typeof data === "string";
  if (!text && !(data instanceof Uint8Array)) return refuse(`\`${kind}\` as bytes`, data);
  if (data.length === 0) return refuse(`\`${kind}\` that is not empty`, data);
  return { kind, name, data };
}
