// What is linked, and how: inputs and options, each checked, and what the library calls them.

import { describeValue, didYouMean, positionAt } from "@mm-ptx/types/core";
import { ET_REL, readElf } from "../cubin/elf.js";
import { refusalMessage, scanPtx } from "../ptx/refuse.js";
import {
  archOf,
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
  /** The architecture of the cubin, for example `sm_90`; `native` is that of the first GPU here. Cubins among the inputs have to be for it. */
  readonly arch: string;
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
  optimize: isBoolean,
  maxRegisters: isWhole(1, 255),
  lineInfo: isBoolean,
  debug: isBoolean,
  fmad: isBoolean,
  signal: isSignal,
  timeoutMs: isTimeout,
};

/** Options that were checked, with the architecture that is meant. @throws LinkError `INVALID_OPTION` */
export function resolveLinkOptions(options: LinkOptions): LinkOptions {
  const problem = checkOptions(options, CHECKS, ["arch"]) ?? conflictIn(options);
  if (problem !== undefined) throw new LinkError("INVALID_OPTION", problem);
  return { ...options, arch: archOf(options.arch) };
}

/** What the library calls them. */
export function linkArguments(options: LinkOptions, inputs: readonly ResolvedInput[]): string[] {
  const { arch, optimize = true, maxRegisters, lineInfo, debug, fmad = true } = options;
  // The library wants it with LTO-IR and takes it with nothing else.
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
    return "options `debug` and `lineInfo`: expected one of them, as `debug` keeps line numbers too";
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
  const refuse = (message: string, name = place): never => {
    throw new LinkError("REFUSED_INPUT", message, { input: name });
  };
  const expected = (what: string, found: unknown): never =>
    refuse(`${place}: expected ${what}, found ${describeValue(found)}`);
  if (typeof input !== "object" || input === null || ArrayBuffer.isView(input))
    return expected("an object with `cubin`, `ptx` or `ltoir`", input);
  const values = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
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
  if (!isLine(name)) return expected("a name of one line", name);
  const data = values[kind];
  const text = kind === "ptx" && typeof data === "string";
  if (!text && !(data instanceof Uint8Array)) return expected(`\`${kind}\` as bytes`, data);
  if (data.length === 0) return expected(`\`${kind}\` that is not empty`, data);
  const problem = PROBLEMS[kind](data);
  return problem === undefined ? { kind, name, data } : refuse(`\`${name}\`: ${problem}`, name);
}

const isKind = (key: string): key is InputKind => (KINDS as readonly string[]).includes(key);

/** What the library would take and do something else with than is meant. */
const PROBLEMS: Readonly<Record<InputKind, (data: string | Uint8Array) => string | undefined>> = {
  cubin: (data) => (isLinked(data as Uint8Array) ? ALREADY_LINKED : undefined),
  ptx: (data) => {
    const text = typeof data === "string" ? data : Buffer.from(data).toString("latin1");
    const refusal = scanPtx(text);
    return refusal && refusalMessage(text, refusal, `line ${positionAt(text, refusal.offset).line}`);
  },
  ltoir: () => undefined,
};

const ALREADY_LINKED =
  "expected a relocatable cubin, found one that is linked already: give the PTX, or compile CUDA with `relocatable`";

/** Of such a cubin the library takes nothing, and says nothing. Whatever is no cubin it finds out itself. */
function isLinked(cubin: Uint8Array): boolean {
  try {
    return readElf(cubin).type !== ET_REL;
  } catch {
    return false;
  }
}
