// Images to load: PTX is compiled for the device first or passed to the driver's compiler; machine code is passed on
// unchanged.

import { architectureFor } from "@mm-ptx/ptx";
import {
  type FilledKernel,
  FilledKernelError,
  type LineOrigins,
  type LocatedPtx,
  positionAt,
} from "@mm-ptx/types/core";
import type { MachineCode, ModuleSource } from "@mm-ptx/types/device";
import {
  describeError,
  isFilledKernel,
  isLocatedPtx,
  locatedPtx,
  ptxSizeProblem,
  withoutFinalNul,
} from "@mm-ptx/types/internal";
import { readElf } from "../cubin/elf.js";
import { inspectCubin } from "../cubin/inspect.js";
import { headerTarget } from "../ptx/header-target.js";
import type { CompileResult } from "../ptx/outcome.js";
import { lineInWords } from "../ptx/refuse.js";
import type { Reply } from "./addon.js";
import { checkNames, invalid, optionalBoolean, refuse, wholeNumber } from "./check.js";
import type { Slot } from "./command.js";
import type { Connection } from "./connection.js";
import { CudaError } from "./error.js";
import { checkSignatures, factsOfCubin, factsOfPtx, type ModuleFacts } from "./facts.js";
import { destroyedBy, Handle } from "./handle.js";
import type { LoadedModule } from "./module.js";

/** Options for loading a module on a GPU. */
export interface CudaLoadOptions {
  /** Passes PTX to the driver's compiler; by default, this package compiles it for exactly this device. */
  readonly jit?: boolean;
  /** The maximum number of registers per thread, for PTX. */
  readonly maxRegisters?: number;
  /** The optimization level of the driver's compiler, 0 to 4; 4 by default. */
  readonly optimizationLevel?: number;
}

/** The image that is passed to the driver. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly facts: () => ModuleFacts | undefined;
  readonly jit: boolean;
  /** For PTX that the driver compiles: the origins of its lines. */
  readonly origins?: LineOrigins | undefined;
}

/** PTX that is compiled before it is loaded. */
export interface PtxImage {
  readonly ptx: string | FilledKernel | LocatedPtx;
  readonly arch: string;
}

const ELF = [0x7f, 0x45, 0x4c, 0x46];
const FATBIN = [0x50, 0xed, 0x55, 0xba];
const FATBIN_HEADER_BYTES = 16;
const DEFAULT_LEVEL = 0xff;

/** @throws CudaError INVALID_ARGUMENT */
export function checkLoadOptions(options: CudaLoadOptions): void {
  checkNames(options, ["jit", "maxRegisters", "optimizationLevel"]);
  const { jit, maxRegisters, optimizationLevel } = options;
  optionalBoolean("jit", jit);
  if (maxRegisters !== undefined) wholeNumber("maxRegisters", maxRegisters, 1, 255);
  if (optimizationLevel === undefined) return;
  wholeNumber("optimizationLevel", optimizationLevel, 0, 4);
  if (jit !== true) throw refuse("expected `jit: true` with `optimizationLevel`, found none");
}

/** Determines how to load a source. @throws CudaError INVALID_ARGUMENT */
export function imageOf(
  module: ModuleSource,
  { jit = false }: CudaLoadOptions,
  arch: string,
): Image | PtxImage {
  if (module instanceof Uint8Array) {
    if (begins(module, ELF)) return cubinImage({ cubin: module });
    if (begins(module, FATBIN)) {
      const bytes = module.slice();
      checkFatbin(bytes);
      return { bytes, facts: () => undefined, jit: false };
    }
  } else if (isMachineCode(module)) return cubinImage(module);
  const ptx = ptxOf(module);
  const { text } = ptx;
  if (!jit) return { ptx: ptx.source, arch: archFor(text, arch) };
  const nul = text.indexOf("\0");
  if (nul !== -1) {
    const { line, column } = positionAt(text, nul);
    const place = `${lineInWords(line, ptx.origins)}, column ${column}`;
    throw refuse(`expected PTX without a NUL, found one at ${place}`);
  }
  return {
    bytes: new TextEncoder().encode(text),
    facts: () => factsOfPtx(text),
    jit: true,
    origins: ptx.origins,
  };
}

const isMachineCode = (module: ModuleSource): module is MachineCode =>
  typeof module === "object" && module !== null && "cubin" in module;

function cubinImage({ cubin, kernels }: MachineCode): Image {
  if (!(cubin instanceof Uint8Array)) throw invalid("`cubin` as bytes", cubin);
  const bytes = cubin.slice();
  checkCubin(bytes);
  const problem = kernels === undefined ? undefined : checkSignatures(bytes, kernels);
  if (problem !== undefined) throw refuse(problem);
  return { bytes, facts: () => factsOfCubin(bytes, kernels), jit: false };
}

const FORMS =
  "PTX as a string, as bytes, as a filled kernel or as a pack; a compiled module; or a cubin or a fatbin as bytes";

/** @throws CudaError INVALID_ARGUMENT */
function ptxOf(module: Exclude<ModuleSource, MachineCode>): {
  readonly source: PtxImage["ptx"];
  readonly text: string;
  readonly origins?: LineOrigins;
} {
  if (typeof module === "string") {
    const text = withoutFinalNul(module);
    return { source: text, text };
  }
  if (module instanceof Uint8Array) {
    const text = textOf(module);
    return { source: text, text };
  }
  if (isLocatedPtx(module)) return { source: module, text: withoutFinalNul(module.text), origins: module };
  if (!isFilledKernel(module)) throw invalid(FORMS, module);
  try {
    const origins = locatedPtx(module);
    return { source: module, text: withoutFinalNul(origins.text), origins };
  } catch (error) {
    if (error instanceof FilledKernelError) throw refuse(error.message, error);
    throw error;
  }
}

/** The image of a compile result. */
export function compiledImage({ cubin, kernels }: CompileResult): Image {
  return { bytes: cubin, facts: () => factsOfCubin(cubin, kernels), jit: false };
}

/** Describes the image for the error of a driver that rejects it. */
export function imageWords({ bytes, jit }: Image): string {
  if (jit) return "PTX";
  if (begins(bytes, FATBIN)) return "a fatbin";
  try {
    const { arch, toolkit } = inspectCubin(bytes);
    return `a cubin for ${arch}${toolkit === undefined ? "" : ` of CUDA ${toolkit}`}`;
  } catch {
    return "a cubin";
  }
}

/** The arguments of the load operation. */
export function loadSlots(
  { jit }: Image,
  { maxRegisters, optimizationLevel }: CudaLoadOptions,
): readonly Slot[] {
  return [jit, jit ? (maxRegisters ?? 0) : 0, optimizationLevel ?? DEFAULT_LEVEL, false];
}

/** The output of the driver's compiler, from the reply of a success or a failure. */
export function jitLogOf({ jit }: Image, { payload }: Pick<Reply, "payload">): string | undefined {
  if (!jit || payload === undefined) return undefined;
  return new TextDecoder().decode(payload).split("\0").filter(Boolean).join("\n").trim();
}

export function loadedModule(connection: Connection, image: Image, reply: Reply): LoadedModule {
  return {
    image: new Handle(connection, reply.values[0]!, destroyedBy("cuModuleUnload")),
    facts: image.facts(),
    jitLog: jitLogOf(image, reply),
  };
}

const begins = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, i) => bytes[i] === byte);

/** The driver receives no file length and trusts the file's own headers. @throws CudaError INVALID_ARGUMENT */
function checkCubin(bytes: Uint8Array): void {
  try {
    readElf(bytes);
  } catch (cause) {
    throw refuse(`expected a complete cubin, found a corrupt one: ${describeError(cause)}`, cause);
  }
}

/** Same as above; the header contains its own size and the size of the rest. */
function checkFatbin(bytes: Uint8Array): void {
  const { buffer, byteOffset, length } = bytes;
  const view = new DataView(buffer, byteOffset, length);
  const least = FATBIN_HEADER_BYTES;
  const claimed = length < least ? least : view.getUint16(6, true) + Number(view.getBigUint64(8, true));
  if (claimed > length)
    throw refuse(`expected a complete fatbin of at least ${claimed} bytes, found ${length}`);
}

function textOf(bytes: Uint8Array): string {
  const problem = ptxSizeProblem(bytes.length);
  if (problem !== undefined) throw new CudaError("OUT_OF_MEMORY", problem);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(withoutFinalNul(bytes).slice());
  } catch (cause) {
    throw refuse("expected PTX, a cubin or a fatbin, found other bytes", cause);
  }
}

/** The architecture to compile for, by the `.target` of the PTX. */
function archFor(ptx: string, arch: string): string {
  const known = architectureFor(arch, headerTarget(ptx));
  if (known !== undefined) return known.name;
  throw refuse(
    `expected a device with an architecture that the compiler supports, found ${arch}; with \`jit: true\`, the driver compiles the PTX`,
  );
}
