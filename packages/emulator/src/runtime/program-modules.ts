// The modules that a program loads: their kernels, their variables and the stack that its kernels have.
import type { EmulatedDevice } from "../device/device.js";
import type { EmulatedKernel, EmulatedModule } from "../device/module.js";
import { refuseUnsupported } from "../run/launch-check.js";
import { MOST_STACK } from "../run/local-bytes.js";
import {
  CudaError,
  INVALID_FUNCTION,
  INVALID_SYMBOL,
  INVALID_VALUE,
  NO_KERNEL_IMAGE,
} from "./cuda-errors.js";
import { deviceRuntimeOf } from "./device-runtime.js";
import { insteadOfPtx, readImage, WITH_PTX } from "./fatbin.js";
import type { ProcessMemory } from "./process-memory.js";
import { type Fields, fieldsOf } from "./wire.js";

/** The compute capability of the device that programs see. */
export interface Capability {
  readonly major: number;
  readonly minor: number;
}

export class ProgramModules {
  readonly #device: EmulatedDevice;
  readonly #capability: Capability;
  readonly #modules: EmulatedModule[] = [];
  readonly #kernels: EmulatedKernel[] = [];
  /** The stack size that the program has set. */
  #stackBytes: number | undefined;

  constructor(device: EmulatedDevice, capability: Capability) {
    this.#device = device;
    this.#capability = capability;
  }

  load(fields: Fields, program: ProcessMemory | undefined): Uint8Array {
    const { major, minor } = this.#capability;
    const images = Array.from({ length: fields.u32() }, () => {
      const [address, bytes] = [fields.u64(), fields.u64()];
      if (program === undefined) return Buffer.from(fields.bytes(bytes));
      const image = Buffer.alloc(bytes);
      program.read(address, image);
      return image;
    }).map((image) => readImage(image, major * 10 + minor));
    const texts = images.flatMap(({ ptx }) => (ptx === undefined ? [] : [ptx]));
    if (texts.length === 0) throw noPtx(images.flatMap(({ machineCode }) => machineCode));
    // There are several if `nvcc -rdc=true` has linked files.
    const module = this.#device.load([...texts, ...deviceRuntimeOf(texts)].map(withPagesOfTheirOwn));
    if (this.#stackBytes !== undefined) giveStack(module, this.#stackBytes);
    this.#modules.push(module);
    return fieldsOf(this.#modules.length - 1);
  }

  /** Recursive calls of all kernels may use this many bytes from now on. */
  resizeStack(bytes: number): undefined {
    if (bytes > MOST_STACK) throw new CudaError(INVALID_VALUE);
    this.#stackBytes = bytes;
    for (const module of this.#modules) giveStack(module, bytes);
  }

  kernel(index: number): EmulatedKernel {
    const kernel = this.#kernels[index];
    if (kernel === undefined) throw new CudaError(INVALID_FUNCTION);
    return kernel;
  }

  findKernel(fields: Fields): Uint8Array {
    const module = this.#module(fields.u32());
    const name = fields.rest().toString("utf8");
    if (!module.kernels.includes(name))
      throw new CudaError(INVALID_FUNCTION, `expected the kernel \`${name}\` in the PTX, found none`);
    const kernel = module.kernel(name);
    // Launches are checked in the program.
    kernel.setDynamicShared(
      Math.max(0, this.#device.limits.maxSharedBytesPerBlock - kernel.entry.sharedBytes),
    );
    this.#kernels.push(kernel);
    const { entry, attributes, parameters } = kernel;
    refuseUnsupported(module.program, entry);
    const directive = (name: string) => entry.directives.find((one) => one.name === name)?.values;
    const sizes = (values: readonly number[] = []) =>
      [0, 1, 2].map((axis) => values[axis] ?? (values.length > 0 ? 1 : 0));
    const constants = module.program.variables.filter(({ space }) => space === "const");
    return fieldsOf(
      this.#kernels.length - 1,
      parameters.length,
      entry.parameterBytes,
      attributes.maxThreadsPerBlock,
      BigInt(attributes.sharedBytes),
      BigInt(attributes.localBytes),
      BigInt(constants.reduce((sum, { bytes }) => sum + bytes, 0)),
      Number(module.program.target.match(/\d+/)?.[0] ?? 0),
      ...sizes(directive(".reqntid")),
      ...sizes(directive(".reqnctapercluster")),
      directive(".maxclusterrank")?.[0] ?? 0,
      directive(".explicitcluster") === undefined ? 0 : 1,
      0,
      ...parameters.flatMap(({ offset, bytes }) => [offset, bytes]),
    );
  }

  findVariable(fields: Fields): Uint8Array {
    const module = this.#module(fields.u32());
    const name = fields.rest().toString("utf8");
    if (!module.globals.includes(name))
      throw new CudaError(INVALID_SYMBOL, `expected the variable \`${name}\` in the PTX, found none`);
    const { address, byteLength } = module.global(name);
    return fieldsOf(address, BigInt(byteLength));
  }

  #module(index: number): EmulatedModule {
    const module = this.#modules[index];
    if (module === undefined) throw new CudaError(INVALID_VALUE);
    return module;
  }
}

/** Kernels are translated again for another stack, because its size is part of their code. */
function giveStack(module: EmulatedModule, stackBytes: number): void {
  module.loaded = { ...module.loaded, stackBytes };
}

/** Managed variables are placed at pages of the program, which shares them. */
function withPagesOfTheirOwn(ptx: string): string {
  return ptx.replace(/\.attribute\(\.managed\) \.align \d+/g, ".attribute(.managed) .align 4096");
}

function noPtx(machineCode: readonly number[]): CudaError {
  return new CudaError(
    NO_KERNEL_IMAGE,
    `expected PTX in the program, found ${insteadOfPtx(machineCode)}: compile it with \`${WITH_PTX}\``,
  );
}
