// The inputs and options of a link, checked and translated to the library's arguments.

import {
  type FilledKernel,
  FilledKernelError,
  type LineOrigins,
  type LocatedPtx,
  type PtxSource,
  positionAt,
} from "@mm-ptx/types/core";
import {
  type Check,
  describeValue,
  didYouMean,
  isBoolean,
  isFilledKernel,
  isLocatedPtx,
  isSignal,
  isWhole,
  locatedPtx,
  optionProblem,
  ptxSizeProblem,
  withoutFinalNul,
} from "@mm-ptx/types/internal";
import { ET_REL, readElf } from "../cubin/elf.js";
import { lineInWords, refusalMessage, scanPtx } from "../ptx/refuse.js";
import { archOf, isArch, isLine, isTimeout } from "../toolkit/checks.js";
import { LinkError } from "./error.js";

/**
 * An input of a link: machine code, PTX in any form (also a filled kernel or a pack itself), or the output of a
 * `CudaCompiler` with `output: "ltoir"`.
 */
export type LinkInput = {
  /** The name in messages; `input 1` and so on by default. */
  readonly name?: string;
} & (
  | { readonly cubin: Uint8Array }
  | { readonly ptx: PtxSource }
  | FilledKernel
  | LocatedPtx
  | { readonly ltoir: Uint8Array }
);

/** Options of one link. */
export interface LinkOptions {
  /**
   * The architecture of the cubin, for example `sm_90`; `native` is the architecture of this machine's first GPU. Cubin
   * inputs must be compiled for it.
   */
  readonly arch: string;
  /** `false` disables optimization (-O0). Default: true (-O3). Like the options below, it applies to PTX and LTO-IR. */
  readonly optimize?: boolean;
  /** The maximum number of registers per thread, 1 to 255. */
  readonly maxRegisters?: number;
  readonly lineInfo?: boolean;
  /** Keeps debug information. */
  readonly debug?: boolean;
  /** `false` keeps `mul` and `add` separate. Default: true. Applies to LTO-IR. */
  readonly fmad?: boolean;
  /** Aborts the call with `ABORTED`; the error's `cause` is the signal's reason. */
  readonly signal?: AbortSignal;
  /** The time limit of the link in milliseconds, counted from its start; no limit by default. */
  readonly timeoutMs?: number;
}

/** The kinds of inputs. */
export type InputKind = "cubin" | "ptx" | "ltoir";

/** An input with its name. */
export interface ResolvedInput {
  readonly kind: InputKind;
  readonly name: string;
  readonly data: string | Uint8Array;
  /** For rendered PTX: the origins of its lines. */
  readonly origins?: LineOrigins;
}

const KINDS: readonly InputKind[] = ["cubin", "ptx", "ltoir"];

const CHECKS: Readonly<Record<keyof LinkOptions, Check>> = {
  arch: isArch,
  optimize: isBoolean,
  maxRegisters: isWhole(1, 255),
  lineInfo: isBoolean,
  debug: isBoolean,
  fmad: isBoolean,
  signal: isSignal,
  timeoutMs: isTimeout,
};

/** Checks the options and resolves the architecture. @throws LinkError `INVALID_ARGUMENT`, `UNAVAILABLE` */
export function resolveLinkOptions(options: LinkOptions): LinkOptions {
  const problem = optionProblem(options, CHECKS, { required: ["arch"] }) ?? conflictIn(options);
  if (problem !== undefined) throw new LinkError("INVALID_ARGUMENT", problem);
  return { ...options, arch: archOf(options.arch, LinkError) };
}

/** The library's arguments. */
export function linkArguments(options: LinkOptions, inputs: readonly ResolvedInput[]): string[] {
  const { arch, optimize = true, maxRegisters, lineInfo, debug, fmad = true } = options;
  // The library requires it for LTO-IR and only accepts it then.
  const lto = inputs.some(({ kind }) => kind === "ltoir");
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

function conflictIn({ debug, lineInfo }: LinkOptions): string | undefined {
  if (debug && lineInfo)
    return "options `debug` and `lineInfo`: expected only one of them, since `debug` keeps line numbers as well";
  return undefined;
}

/** @throws LinkError `INVALID_ARGUMENT` */
export function resolveInputs(inputs: readonly LinkInput[]): ResolvedInput[] {
  if (!Array.isArray(inputs) || inputs.length === 0)
    throw new LinkError("INVALID_ARGUMENT", `expected a list of inputs, found ${describeValue(inputs)}`);
  return inputs.map(resolveInput);
}

function resolveInput(input: unknown, index: number): ResolvedInput {
  const place = `input ${index + 1}`;
  const refuse = (message: string, name = place): never => {
    throw new LinkError("INVALID_ARGUMENT", message, { input: name });
  };
  const expected = (what: string, found: unknown): never =>
    refuse(`${place}: expected ${what}, found ${describeValue(found)}`);
  if (typeof input !== "object" || input === null || ArrayBuffer.isView(input))
    return expected("an object with `cubin`, `ptx` or `ltoir`", input);
  const values = valuesOf(input);
  const unknown = Object.keys(values).find((key) => key !== "name" && !isKind(key));
  if (unknown !== undefined)
    return refuse(`${place}: unknown key \`${unknown}\`${didYouMean(unknown, [...KINDS, "name"])}`);
  const [kind, ...more] = Object.keys(values).filter(isKind);
  if (kind === undefined) return expected("one of `cubin`, `ptx` and `ltoir`", input);
  if (more.length > 0)
    return refuse(
      `${place}: expected one of \`cubin\`, \`ptx\` and \`ltoir\`, found ${1 + more.length} of them`,
    );
  const { name = place } = values;
  if (!isLine(name)) return expected("a single-line name", name);
  const origins =
    kind === "ptx" ? rendered(values.ptx, (message) => refuse(`${place}: ${message}`)) : undefined;
  const given = origins?.text ?? values[kind];
  const large = kind === "ptx" && isText(given) ? ptxSizeProblem(given.length) : undefined;
  if (large !== undefined) throw new LinkError("OUT_OF_MEMORY", `${place}: ${large}`, { input: name });
  const data = kind === "ptx" && isText(given) ? withoutFinalNul(given) : given;
  if (!(data instanceof Uint8Array) && !(kind === "ptx" && typeof data === "string"))
    return expected(`\`${kind}\` as bytes`, data);
  if (data.length === 0) return expected(`non-empty \`${kind}\``, data);
  const problem = PROBLEMS[kind](data, origins);
  if (problem === undefined) return { kind, name, data, ...(origins === undefined ? {} : { origins }) };
  return refuse(`\`${name}\`: ${problem}`, name);
}

/** The properties of an input. A filled kernel or a pack that is given as the input itself stands for its PTX. */
function valuesOf(input: object): Record<string, unknown> {
  const { name } = input as { name?: unknown };
  if (isLocatedPtx(input)) return { ptx: input };
  const values = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  if (!isFilledKernel(input)) return values;
  const { template, stubs, name: _, ...rest } = values;
  return { ...rest, ptx: { template, stubs }, ...(name === undefined ? {} : { name }) };
}

/** PTX with known line origins; `undefined` for text and bytes. */
function rendered(ptx: unknown, refuse: (message: string) => never): LocatedPtx | undefined {
  if (isLocatedPtx(ptx)) return ptx;
  if (!isFilledKernel(ptx)) return undefined;
  try {
    return locatedPtx(ptx);
  } catch (error) {
    if (error instanceof FilledKernelError) return refuse(error.message);
    throw error;
  }
}

const isText = (value: unknown): value is string | Uint8Array =>
  typeof value === "string" || value instanceof Uint8Array;

const isKind = (key: string): key is InputKind => (KINDS as readonly string[]).includes(key);

/** Detects inputs that the library would accept but misinterpret. */
const PROBLEMS: Readonly<
  Record<InputKind, (data: string | Uint8Array, origins: LineOrigins | undefined) => string | undefined>
> = {
  cubin: (data) => (isLinked(data as Uint8Array) ? ALREADY_LINKED : undefined),
  ptx: (data, origins) => {
    const text = typeof data === "string" ? data : Buffer.from(data).toString("latin1");
    const refusal = scanPtx(text);
    if (refusal === undefined) return undefined;
    const { line } = positionAt(text, refusal.offset);
    return refusalMessage(text, refusal, lineInWords(line, origins));
  },
  ltoir: () => undefined,
};

const ALREADY_LINKED =
  "expected a relocatable cubin, found a linked one: pass the PTX, or compile CUDA with `relocatable`";

/** The library silently ignores such a cubin. It reports bytes that are not a cubin itself. */
function isLinked(cubin: Uint8Array): boolean {
  try {
    return readElf(cubin).type !== ET_REL;
  } catch {
    return false;
  }
}
