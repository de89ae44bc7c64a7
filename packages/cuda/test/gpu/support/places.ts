// Where tests of kernels run: the first GPU, and the emulator where the interface is all that a test needs. On a machine without
// a GPU its tests are skipped, for that and nothing else: whatever else is wrong with a driver fails them.
import type { Device, DeviceModule } from "@mm-ptx/types/device";
import { beforeEach, describe } from "vitest";
import { EmulatedDevice } from "../../../../emulator/dist/index.js";
import { CudaDevice, PtxCompiler } from "../../../src/index.js";

const HAS_GPU = CudaDevice.count() > 0;

/** Where tests run. */
interface Place {
  readonly open: () => Device;
  /** Whether it runs PTX of a target, such as `sm_90` or `sm_100a`. */
  readonly takes: (target: string) => boolean;
  /** Loads PTX so that multiplications and additions are rounded each for itself, where a compiler may fuse them. */
  readonly loadUnfused: (device: Device, ptx: string) => DeviceModule;
}

const EMULATOR: Place = {
  open: () => EmulatedDevice.open({ onPrint: () => {} }),
  takes: () => true,
  loadUnfused: (device, ptx) => device.load(ptx),
};

/** Without a GPU all are taken, and skipped. */
const GPU: Place = {
  open: () => CudaDevice.open(0),
  takes: (target) => !HAS_GPU || isForArch(target, CudaDevice.list()[0]!.arch),
  loadUnfused: (device, ptx) => {
    using compiler = new PtxCompiler({ arch: device.arch, fmad: false });
    return device.load(compiler.compileSync(ptx).cubin);
  },
};

/** PTX is for its target and later ones, with the letter `a` for that one alone. */
function isForArch(target: string, arch: string): boolean {
  const number = (name: string) => Number(/\d+/.exec(name)![0]);
  return target.endsWith("a") ? number(target) === number(arch) : number(target) <= number(arch);
}

/** Tests of the interface, on both. */
export function onDevices(what: string, tests: (place: Place) => void): void {
  onGpu(what, () => tests(GPU));
  describe(`${what} on the emulator`, () => tests(EMULATOR));
}

/** Tests of what only a GPU has. */
export function onGpu(what: string, tests: () => void): void {
  describe(`${what} on a GPU`, () => {
    beforeEach(({ skip }) => skip(!HAS_GPU, "no device"));
    tests();
  });
}
