// The cases that the emulator and a GPU both run: kernels of nvcc, every described instruction on edge
// values, and random programs. They do not depend on the device.

import { readdirSync, readFileSync } from "node:fs";
import {
  type DescribedInstruction,
  describedInstructions,
  instructionKernel,
} from "../../../packages/emulator/test/support/described.js";
import type {
  CaseLaunch,
  Contents,
  KernelCase,
} from "../../../packages/emulator/test/support/kernel-case.js";
import { kernelText } from "../../../packages/emulator/test/support/launching.js";
import { stacks, table } from "../../../packages/stack/dist/generated/default/index.js";
import type { Random } from "../../../packages/stack/dist/random/index.js";
import { allows } from "../isa.js";
import { edgeBits } from "./edge-values.js";
import { ProgramKernel } from "./program-kernel.js";
import { StackPrograms } from "./random-programs.js";

/** Something to run, and the allowed differences of its results. */
export interface HardwareCase {
  readonly name: string;
  readonly ptx: string;
  readonly buffers: Readonly<Record<string, Contents>>;
  readonly launches: readonly CaseLaunch[];
  /**
   * By buffer: the allowed error, relative to the larger of 1 and the value; without one, bits are compared.
   */
  readonly tolerance?: Readonly<Record<string, number>>;
  /** The instruction if PTX only approximates it: the comparison looks up its bound. */
  readonly approximate?: DescribedInstruction;
}

const KERNELS = new URL("../../../packages/emulator/test/kernels/", import.meta.url);
/** Results that depend on time and place. */
const OWN_TO_A_MACHINE = /\bclock|globaltimer|activemask|smid/;
const THREADS = 256;

/** The kernels in the style of CUDA's samples whose target the architecture has. */
export async function kernelCases(arch: string): Promise<readonly HardwareCase[]> {
  const found: HardwareCase[] = [];
  for (const name of readdirSync(KERNELS)) {
    const ptx = readFileSync(new URL(`${name}/kernel.ptx`, KERNELS), "utf8");
    const [, target = ""] = /^\.target (sm_\d+)/m.exec(ptx) ?? [];
    if (Number(target.slice(3)) > Number(/\d+/.exec(arch)![0]) || OWN_TO_A_MACHINE.test(ptx)) continue;
    const { default: given } = (await import(new URL(`${name}/case.ts`, KERNELS).href)) as {
      default: KernelCase;
    };
    const { buffers, launches, tolerance } = given;
    found.push({
      ...{ name: `kernel ${name}`, ptx, buffers, launches },
      ...(tolerance === undefined ? {} : { tolerance }),
    });
  }
  return found;
}

/** Every described instruction that the architecture has, each on `count` edge values. */
export function instructionCases(arch: string, random: Random): readonly HardwareCase[] {
  const required = new Map(table.instructions.map(({ ptx, requires }) => [ptx, requires]));
  return describedInstructions()
    .filter(({ ptx }) => allows(required.get(ptx), arch) && !OWN_TO_A_MACHINE.test(ptx))
    .map((instruction) => {
      const { ptx, sources, results } = instruction;
      const width = sources.length + results.length;
      const slots = BigUint64Array.from({ length: THREADS * width }, (_, at) => {
        const type = sources[at % width];
        return type === undefined ? 0n : edgeBits(type, random);
      });
      const launch = { kernel: "kernel", grid: THREADS / 32, block: 32, args: [{ buffer: "slots" }] };
      return {
        name: `instruction ${ptx}`,
        ptx: kernelText(instructionKernel(instruction), { target: arch }),
        buffers: { slots },
        launches: [launch],
        ...(/\.(approx|full)/.test(ptx) ? { approximate: instruction } : {}),
      };
    });
}

/** Random Stack PTX programs of exact instructions. */
export function programCases(arch: string, kernels: number, random: Random): readonly HardwareCase[] {
  const kernel = new ProgramKernel(table, Object.values(stacks), 3);
  const drawing = new StackPrograms(
    table,
    kernel,
    ({ ptx, requires }) =>
      allows(requires, arch) && !OWN_TO_A_MACHINE.test(ptx) && !/\.(approx|full)/.test(ptx) ? 1 : 0,
    random,
  );
  return Array.from({ length: kernels }, (_, at) => {
    const programs = Array.from({ length: 50 }, () => drawing.draw(random));
    const slots = programs.reduce((sum, { writes }) => sum + writes.length, 0);
    return {
      name: `random programs ${at}`,
      ptx: kernel.module(programs, "straight", arch),
      buffers: {
        inputs: kernel.inputValues(64, random),
        outputs: new BigUint64Array(64 * Math.max(1, slots)),
      },
      launches: [
        { kernel: "programs", grid: 1, block: 64, args: [{ buffer: "inputs" }, { buffer: "outputs" }] },
      ],
    };
  });
}
