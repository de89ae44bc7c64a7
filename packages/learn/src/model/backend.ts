// Which code computes: native code, or kernels in WebAssembly or in JavaScript; all with the same bits.
import { type Check, compilesWebAssembly, isOneOf, isWhole, unexpected } from "@mm-ptx/types/internal";
import { LearnError } from "../error.js";
import { findAddon } from "../native/addon.js";
import { type ChecksOf, readOptions } from "../options.js";
import { bytesOfText } from "./module-text.js";

/** What a model computes with. */
export type Backend = "javascript" | "native" | "webassembly";

/** The option `backend`: `auto` is native code where the addon can be loaded, otherwise WebAssembly where it can be compiled. */
export type BackendOption = Backend | "auto";

/** What a model computes with, and on how many threads. Neither changes a bit of its results. */
export interface ComputeOptions {
  /** Default `auto`. All backends give the same bits. */
  readonly backend?: BackendOption;
  /**
   * The number of threads among which native code divides the rows of a prediction, and those that `Linear` is fitted to: from 1 to 64,
   * default 1. Threads start when they are needed first; calls with so few rows that it would not pay use the calling thread alone, as do
   * JavaScript and WebAssembly. Any number gives the same bits.
   */
  readonly workers?: number;
}

export const isBackend: Check = isOneOf(["auto", "javascript", "native", "webassembly"]);

/** Options with those of `ComputeOptions`. @throws LearnError INVALID_ARGUMENT */
export const computeOptions = <Options extends ComputeOptions>(
  options: unknown,
  checks: ChecksOf<Omit<Options, keyof ComputeOptions>>,
  defaults: object,
): Required<Options> =>
  readOptions<Options>(
    options,
    { ...checks, backend: isBackend, workers: isWhole(1, 64) } as unknown as ChecksOf<Options>,
    { ...defaults, backend: "auto", workers: 1 },
  );

/** @throws LearnError INVALID_ARGUMENT if the backend that is asked for isn't available, or none is */
export function chooseBackend(option: BackendOption = "auto"): Backend {
  if (typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined" && option !== "webassembly") return chooseAny(option);
  if (option === "javascript" || option === "native") {
    throw new LearnError(
      "INVALID_ARGUMENT",
      unexpected("backend", "`auto` or `webassembly` in a page for WebAssembly alone", option),
    );
  }
  if (compilesWebAssembly()) return "webassembly";
  throw new LearnError(
    "INVALID_ARGUMENT",
    typeof MM_PTX_WEBASSEMBLY_ONLY === "undefined"
      ? "option `backend`: expected `auto` or `javascript` where WebAssembly can't be compiled, found `webassembly`"
      : "expected a page that can compile WebAssembly, for which alone it was built, found one that can't",
  );
}

function chooseAny(option: "auto" | "javascript" | "native"): Backend {
  if (option === "javascript") return option;
  const { addon, attempts } = findAddon();
  if (addon !== undefined) return "native";
  if (option === "auto") return compilesWebAssembly() ? "webassembly" : "javascript";
  throw new LearnError(
    "INVALID_ARGUMENT",
    `option \`backend\`: expected the native addon, found none:\n  ${attempts.join("\n  ")}`,
  );
}

const modules = new Map<string, WebAssembly.Module>();

/**
 * The exports of a module that imports its memory, a `WebAssembly.Memory`, and may import the exports of the module `dense`, and sizes and
 * the places of parts, in their order, by their index. Each module is compiled once.
 *
 * Declarations do not name that type, because projects without the types of a browser or of Node lack it.
 */
export function instantiate(
  text: string,
  memory: object,
  dense: object = {},
  sizes: readonly number[] = [],
  places: object = {},
): unknown {
  let module = modules.get(text);
  if (module === undefined) {
    module = new WebAssembly.Module(bytesOfText(text));
    modules.set(text, module);
  }
  return new WebAssembly.Instance(module, {
    env: { memory: memory as WebAssembly.Memory },
    dense: dense as WebAssembly.ModuleImports,
    places: [...sizes, ...Object.values(places)] as unknown as WebAssembly.ModuleImports,
  }).exports;
}
