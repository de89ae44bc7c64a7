// How instructions are read: kind, passes and the work of matrix instructions.
import { describe, expect, test } from "vitest";
import { readInstruction } from "../../src/cost/instruction.js";
import { clocksOf } from "../../src/cost/tally.js";
import { pipeOf, type ThroughputFamily } from "../../src/cost/throughput.js";

/** Pipe and clocks of an instruction; no clocks if it has no rate. */
function costOf(text: string, family: ThroughputFamily): string {
  const instruction = readInstruction(text);
  const clocks = clocksOf(instruction, family);
  return clocks === undefined ? pipeOf(instruction.kind) : `${pipeOf(instruction.kind)} ${clocks}`;
}

// The expected clocks are written out here: 32 results of a warp, divided by a quarter of the multiprocessor's results per clock.
describe("pipe and clocks of an instruction", () => {
  test.each<[string, ThroughputFamily, string]>([
    ["FFMA.FTZ R0, R1, R2, R3", "sm_90", "fma 1"],
    ["FFMA R0, R1, R2, R3", "sm_80", "fma 2"],
    ["@!P0 FADD R5, R0, 3.1415927410125732422", "sm_75", "fma 2"],
    ["@UP0 UIADD3 UR4, UR4, 0x1, URZ", "sm_90", "uniform"],
    ["FFMA2 R0, R2.F32x2.HI_LO, R4.F32x2.HI_LO, R6.F32x2.HI_LO", "sm_100", "fma 2"],
    ["HFMA2.MMA R0, R1, 1, 1, R2", "sm_80", "fma 1"],
    ["HFMA2 R0, R1, R2, R3", "sm_89", "fma 2"],
    ["HADD2.F32 R0, -RZ, R1.H0_H0", "sm_90", "fma 2"],
    ["IMAD R0, R1, R2, RZ", "sm_90", "fma 2"],
    ["IMAD.WIDE.U32 R2, R5, 0x4, R2", "sm_75", "fma 4"],
    ["IMAD.HI.U32 R0, R1, R2, RZ", "sm_103", "fma 4"],
    ["IADD3 R0, R1, R2, RZ", "sm_90", "alu 2"],
    ["IADD3 R0, R1, R2, RZ", "sm_120", "alu 1"],
    ["LOP3.LUT R0, R1, R2, RZ, 0x3c, !PT", "sm_120", "alu 2"],
    ["VOTE.ANY R0, PT, P0", "sm_120", "alu 1"],
    ["DFMA R0, R2, R4, R6", "sm_90", "fp64 2"],
    ["DADD R0, R2, R4", "sm_86", "fp64 64"],
    ["F2F.F64.F32 R0, R2", "sm_86", "fp64 64"],
    ["I2F.S64 R0, R2", "sm_80", "mufu 8"],
    ["MUFU.RCP R0, R1", "sm_90", "mufu 8"],
    ["MUFU.EX2 R0, R1", "sm_100", "mufu 8"],
    ["MUFU.EX2 R0, R1", "sm_103", "mufu 4"],
    ["F2I.TRUNC.NTZ R0, R1", "sm_90", "mufu 8"],
    ["F2I.TRUNC.NTZ R0, R1", "sm_120", "mufu 64"],
    ["I2FP.F32.S32 R0, R1", "sm_90", "alu 2"],
    ["POPC R0, R1", "sm_90", "mufu 8"],
    ["LDG.E R0, desc[UR4][R2.64]", "sm_90", "lsu 4"],
    ["LDG.E.128 R0, desc[UR4][R2.64]", "sm_90", "lsu 16"],
    ["LDSM.16.M88.4 R0, [R1]", "sm_80", "lsu 16"],
    ["LDS.64 R0, [R1]", "sm_75", "lsu 16"],
    ["LDC R1, c[0x0][0x28]", "sm_90", "lsu"],
    ["SHFL.BFLY PT, R0, R1, 0x1, 0x1f", "sm_75", "lsu 8"],
    ["S2R R0, SR_TID.X", "sm_90", "control 8"],
    ["BAR.SYNC.DEFER_BLOCKING 0x0", "sm_90", "control 8"],
    ["@P0 BRA (.L_x_0)", "sm_90", "control"],
    ["EXIT", "sm_120", "control"],
    ["HMMA.16816.F32 R0, R4, R8, R0", "sm_80", "tensor 8"],
    ["HMMA.SP.16832.F32 R0, R4, R8, R0, R12, 0x0", "sm_80", "tensor 8"],
    ["HMMA.1688.F32.TF32 R0, R4, R8, R0", "sm_80", "tensor 8"],
    ["HMMA.1688.F32 R0, R4, R8, R0", "sm_75", "tensor 8"],
    ["IMMA.16832.S8.S8 R0, R4.ROW, R8.COL, R0", "sm_80", "tensor 8"],
    ["DMMA.8x8x4 R0, R4, R6, R0", "sm_80", "tensor 16"],
    ["DMMA.884 R0, R4, R6, R0", "sm_86", "tensor"],
    ["HGMMA.64x128x16.F32 R0, gdesc[UR4], R0", "sm_90", "tensor"],
    ["FROBNICATE.F32 R0", "sm_90", "other"],
    ["", "sm_90", "other"],
  ])("%s on %s: %s", (text, family, expected) => {
    expect(costOf(text, family)).toBe(expected);
  });
});

test("the number of opcodes that are remembered is bounded", () => {
  for (let i = 0; i < 10_000; i++) expect(readInstruction(`BOGUS.X${i} R0`).opcode).toBe(`BOGUS.X${i}`);
  expect(readInstruction("FFMA R0, R1, R2, R3").kind).toBe("float32");
});
