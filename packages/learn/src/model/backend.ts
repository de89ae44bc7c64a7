// Which code computes: kernels in WebAssembly or in JavaScript, with the same bits.
import { bytesOfHex, type Check, compilesWebAssembly, isOneOf } from "@mm-ptx/types/internal";
import { LearnError } from "../error.js";

/** What a model computes with. */
export type Backend = "javascript" | "webassembly";

/** The option `backend`: `auto` is WebAssembly where it can be compiled. */
export type BackendOption = Backend | "auto";

export const isBackend: Check = isOneOf(["auto", "javascript", "webassembly"]);

/** @throws LearnError INVALID_ARGUMENT if `webassembly` is asked for and can't be compiled */
export function chooseBackend(option: BackendOption = "auto"): Backend {
  if (option === "javascript") return option;
  if (compilesWebAssembly()) return "webassembly";
  if (option === "auto") return "javascript";
  throw new LearnError(
    "INVALID_ARGUMENT",
    "option `backend`: expected `auto` or `javascript` where WebAssembly can't be compiled, found `webassembly`",
  );
}

const modules = new Map<string, WebAssembly.Module>();

/**
 * The exports of a module that imports its memory, a `WebAssembly.Memory`. Each module is compiled once.
 *
 * Declarations do not name that type, because projects without the types of a browser or of Node lack it.
 */
export function instantiate(hex: string, memory: object): object {
  let module = modules.get(hex);
  if (module === undefined) {
    module = new WebAssembly.Module(bytesOfHex(hex));
    modules.set(hex, module);
  }
  return new WebAssembly.Instance(module, { env: { memory: memory as WebAssembly.Memory } }).exports;
}
