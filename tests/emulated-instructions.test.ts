// Instructions of all kinds that ptxas accepts: the emulator loads each of them, or says that it does not support it. It never calls one
// of them a mistake. A soak asks ptxas again.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { PtxCompiler } from "../packages/cuda/src/index.js";
import { EmulatedDevice, EmulatorError } from "../packages/emulator/src/index.js";
import { SOAK } from "./support/counts.js";

const INSTRUCTIONS = readFileSync(new URL("instructions/valid.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Targets that together have all instructions. */
const TARGETS = ["sm_100a", "sm_90a", "sm_120a"] as const;

const kernelWith = (instruction: string, target: string): string => `.version 9.0
.target ${target}
.address_size 64
.global .align 128 .b8 gmem[4096];
${instruction.includes("[tx,") ? ".global .texref tx;" : ""}
.visible .entry k(.param .u64 pa)
{
.reg .pred p<3>; .reg .b8 b<2>; .reg .b16 h<4>; .reg .b32 r<9>; .reg .b64 d<8>; .reg .b128 q<3>; .reg .f32 f<9>; .reg .f64 g<5>;
.shared .align 1024 .b8 sh[8192];
.local .align 16 .b8 lo[64];
ld.param.u64 d0, [pa];
mov.u32 r0, sh;
${instruction}
ret;
}
`;

it("valid instructions are loaded or unsupported, and never mistakes", () => {
  using device = EmulatedDevice.open();
  const found = INSTRUCTIONS.flatMap((instruction) => {
    // An instruction of another target is a mistake of the text, which is right.
    const codes = TARGETS.map((target) => {
      try {
        device.load(kernelWith(instruction, target)).dispose();
        return "";
      } catch (error) {
        if (error instanceof EmulatorError) return error.code;
        throw error;
      }
    });
    return codes.some((code) => code === "" || code === "UNSUPPORTED") ? [] : [`${codes[0]}: ${instruction}`];
  });
  expect(found).toEqual([]);
});

it.runIf(SOAK)("ptxas accepts each of them", { timeout: 300_000 }, async () => {
  const compilers = TARGETS.map((arch) => [arch, new PtxCompiler({ arch })] as const);
  const refused: string[] = [];
  for (const instruction of INSTRUCTIONS) {
    let isAccepted = false;
    for (const [arch, compiler] of compilers) {
      isAccepted ||= await compiler.compile(kernelWith(instruction, arch)).then(
        () => true,
        () => false,
      );
    }
    if (!isAccepted) refused.push(instruction);
  }
  expect(refused).toEqual([]);
});
