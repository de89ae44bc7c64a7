// What is loaded: PTX is compiled for the device first, or goes to the driver's compiler; machine code goes as it is.

import { ARCHITECTURES, architecture } from "@mm-ptx/ptx";
import { describeError, isSourceMap, type LoadOptions } from "@mm-ptx/types/core";
import { readElf } from "../cubin/elf.js";
import { inspectCubin } from "../cubin/inspect.js";
import { type CompileResult, signaturesOf } from "../ptx/outcome.js";
import type { Reply } from "./addon.js";
import { checkNames, invalid, optionalBoolean, refuse, wholeNumber } from "./check.js";
import type { Slot } from "./command.js";
import type { Connection } from "./connection.js";
import { factsOfCubin, factsOfPtx, type ModuleFacts } from "./facts.js";
import { destroyedBy, Handle } from "./handle.js";
import type { LoadedModule } from "./module.js";

/** How a GPU loads a module. */
export interface CudaLoadOptions extends LoadOptions {
  /** Leaves PTX to the driver's compiler; by default this package compiles it for exactly this device. */
  readonly jit?: boolean;
  /** Registers a thread at most, of PTX. */
  readonly maxRegisters?: number;
  /** Of the driver's compiler, 0 to 4; 4 by default. */
  readonly optimizationLevel?: number;
}

/** What goes to the driver. */
export interface Image {
  readonly bytes: Uint8Array;
  readonly facts: () => ModuleFacts | undefined;
  readonly jit: boolean;
}

/** PTX that is compiled before it is loaded. */
export interface PtxImage {
  readonly ptx: string;
  readonly arch: string;
}

const ELF = [0x7f, 0x45, 0x4c, 0x46];
const FATBIN = [0x50, 0xed, 0x55, 0xba];
const FATBIN_HEADER_BYTES = 16;
const DEFAULT_LEVEL = 0xff;

/** @throws CudaError INVALID_INPUT */
export function checkLoadOptions(options: CudaLoadOptions): void {
  checkNames(options, ["jit", "maxRegisters", "optimizationLevel", "sourceMap"]);
  const { jit, maxRegisters, optimizationLevel, sourceMap } = options;
  optionalBoolean("jit", jit);
  if (sourceMap !== undefined && !isSourceMap(sourceMap))
    throw invalid("`sourceMap` as `sourceMap` makes it", sourceMap);
  if (maxRegisters !== undefined) wholeNumber("maxRegisters", maxRegisters, 1, 255);
  if (optimizationLevel === undefined) return;
  wholeNumber("optimizationLevel", optimizationLevel, 0, 4);
  if (jit !== true) throw refuse("expected `optimizationLevel` with `jit: true`, found it without");
}

/** What is to be done with what was given. @throws CudaError INVALID_INPUT */
export function imageOf(
  module: string | Uint8Array,
  { jit = false }: CudaLoadOptions,
  arch: string,
): Image | PtxImage {
  if (typeof module !== "string" && !(module instanceof Uint8Array))
    throw invalid("PTX as a string, or PTX, a cubin or a fatbin as bytes", module);
  if (typeof module !== "string" && begins(module, ELF)) {
    const bytes = module.slice();
    checkCubin(bytes);
    return { bytes, facts: () => factsOfCubin(bytes, signaturesOf(module)), jit: false };
  }
  if (typeof module !== "string" && begins(module, FATBIN)) {
    const bytes = module.slice();
    checkFatbin(bytes);
    return { bytes, facts: () => undefined, jit: false };
  }
  const ptx = typeof module === "string" ? module : textOf(module);
  if (!jit) return { ptx, arch: archFor(ptx, arch) };
  if (ptx.includes("\0")) throw refuse("expected PTX without a NUL, found one");
  return { bytes: new TextEncoder().encode(ptx), facts: () => factsOfPtx(ptx), jit: true };
}

/** Of PTX that was compiled. */
export function compiledImage({ cubin, kernels }: CompileResult): Image {
  return { bytes: cubin, facts: () => factsOfCubin(cubin, kernels), jit: false };
}

/** What it is, in words for the error of a driver that refuses it. */
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

/** Arguments of the operation that loads. */
export function loadSlots(
  { jit }: Image,
  { maxRegisters, optimizationLevel }: CudaLoadOptions,
): readonly Slot[] {
  return [jit, jit ? (maxRegisters ?? 0) : 0, optimizationLevel ?? DEFAULT_LEVEL, false];
}

/** What the driver's compiler says, from the reply of either outcome. */
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

/** The driver is not told how long a file is, and believes what that says itself. @throws CudaError INVALID_INPUT */
function checkCubin(bytes: Uint8Array): void {
  try {
    readElf(bytes);
  } catch (cause) {
    throw refuse(`expected a whole cubin, found a damaged one: ${describeError(cause)}`, cause);
  }
}

/** As above; in the header are its own size and that of what follows. */
function checkFatbin(bytes: Uint8Array): void {
  const { buffer, byteOffset, length } = bytes;
  const view = new DataView(buffer, byteOffset, length);
  const least = FATBIN_HEADER_BYTES;
  const claimed = length < least ? least : view.getUint16(6, true) + Number(view.getBigUint64(8, true));
  if (claimed > length) throw refuse(`expected a whole fatbin of ${claimed} bytes or more, found ${length}`);
}

function textOf(bytes: Uint8Array): string {
  // Tools of CUDA end the text with a zero.
  const end = bytes.at(-1) === 0 ? -1 : bytes.length;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.slice(0, end));
  } catch (cause) {
    throw refuse("expected PTX, a cubin or a fatbin, found bytes that are none of these", cause);
  }
}

/**
 * The architecture to compile for. PTX that names the features of this very device (`sm_90a`), or those of its family
 * (`sm_100f`), gets them.
 */
function archFor(ptx: string, arch: string): string {
  const known = knownArch(arch);
  const target = /^[ \t]*\.target[ \t]+(sm_(\d+)([af]))\b/m.exec(ptx);
  if (target === null) return known;
  const [, name, number, features] = target;
  if (`sm_${number}` === arch) return name!;
  const sameFamily = features === "f" && familyOf(`sm_${number}`) === familyOf(arch);
  return sameFamily ? `${known}f` : known;
}

/** `sm_10` of `sm_103`. */
const familyOf = (arch: string): string => arch.slice(0, -1);

/**
 * The architecture itself, or for one that is newer than the compiler the latest before it of the same family, whose machine
 * code runs there, too.
 */
function knownArch(arch: string): string {
  if (architecture(arch) !== undefined) return arch;
  const before = ARCHITECTURES.filter(
    ({ suffix, base }) => suffix === "" && familyOf(base) === familyOf(arch) && base < arch,
  );
  const latest = before.at(-1)?.base;
  if (latest !== undefined) return latest;
  throw refuse(
    `expected a device whose architecture the compiler knows, found ${arch}; \`jit: true\` leaves PTX to the driver`,
  );
}
