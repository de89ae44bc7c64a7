// Where tests of kernels run: on the first GPU, and on the emulator for tests that only need the interface.
// On a machine without a GPU its tests are skipped; any other problem of a driver makes them fail.
import type { Device, DeviceModule } from "@mm-ptx/types/device";
import { beforeEach, describe } from "vitest";
import { EmulatedDevice } from "../../../../emulator/dist/index.js";
import { CudaDevice, PtxCompiler } from "../../../src/index.js";

const HAS_GPU = CudaDevice.count() > 0;

/** A device that tests run on. */
interface Place {
  readonly isEmulated: boolean;
  readonly open: () => Device;
  /** Whether it runs PTX for a target, such as `sm_90` or `sm_100a`. */
  readonly takes: (target: string) => boolean;
  /**
   * Loads PTX with separate roundings for multiplications and additions, which a compiler may otherwise fuse.
   */
  readonly loadUnfused: (device: Device, ptx: string) => DeviceModule;
}

const EMULATOR: Place = {
  isEmulated: true,
  open: () => EmulatedDevice.open({ onPrint: () => {} }),
  takes: () => true,
  loadUnfused: (device, ptx) => device.load(ptx),
};

/** Without a GPU every target is accepted, and its tests are skipped. */
const GPU: Place = {
  isEmulated: false,
  open: () => CudaDevice.open(0),
  takes: (target) => !HAS_GPU || isForArch(target, CudaDevice.list()[0]!.arch),
  loadUnfused: (device, ptx) => {
    using compiler = new PtxCompiler({ arch: device.arch, fmad: false });
    return device.load(compiler.compileSync(ptx).cubin);
  },
};

/** PTX runs on its target and later ones; with the letter `a`, on that one alone. */
function isForArch(target: string, arch: string): boolean {
  const number = (name: string) => Number(/\d+/.exec(name)![0]);
  return target.endsWith("a") ? number(target) === number(arch) : number(target) <= number(arch);
}

/** Tests of the interface, which run on both. */
export function onDevices(what: string, tests: (place: Place) => void): void {
  onGpu(what, () => tests(GPU));
  describe(`${what} on the emulator`, () => tests(EMULATOR));
}

/** Tests of features that only a GPU has. */
export function onGpu(what: string, tests: () => void): void {
  describe(`${what} on a GPU`, () => {
    beforeEach(({ skip }) => skip(!HAS_GPU, "no device"));
    tests();
  });
}
