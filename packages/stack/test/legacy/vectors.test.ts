// All conformance cases of Stack PTX 1.0: converted, compiled and told from 1.1.
import { describe, expect, it } from "vitest";
import {
  detectDialect,
  readProgramFile,
  StackCompiler,
  StackProgram,
  StackPtxError,
  writeProgramFile,
} from "../../src/index.js";
import { FILE_TABLE, handmade } from "../support/files.js";
import {
  bytesOf,
  hexOf,
  LEGACY_TABLES,
  LEGACY_VECTORS,
  type LegacyVector,
  registersOf,
} from "../support/legacy-vectors.js";
import { thrownBy } from "../support/small-table.js";

const table = (vector: LegacyVector) => LEGACY_TABLES[vector.table]!;
const fromLegacy = (vector: LegacyVector, words: readonly string[]) =>
  StackProgram.fromLegacy(bytesOf(words), { dialect: "1.0", table: table(vector) });

function compiled(vector: LegacyVector, program: StackProgram, routines: readonly StackProgram[]): string {
  const { limits, requests, execution_limit: executionLimit } = vector;
  const compiler = new StackCompiler(table(vector), {
    routines,
    limits: {
      maxAstSize: limits.max_ast_size,
      maxVisitDepth: limits.max_ast_to_visit_stack_depth,
      stackSize: limits.stack_size,
      maxFrameDepth: limits.max_frame_depth,
      storeSize: limits.store_size,
    },
    requestCopies: "sequential",
  });
  return compiler.compile(program, { registers: registersOf(vector), requests, executionLimit });
}

describe("the conformance vectors of 1.0", () => {
  it("are complete", () => {
    expect(LEGACY_VECTORS.length).toBe(380);
    expect(LEGACY_VECTORS.filter(({ refused }) => refused !== undefined).length).toBeGreaterThan(10);
  });

  it.each(LEGACY_VECTORS.filter(({ refused }) => refused === undefined))(
    "case $id is converted and compiles as 1.1.1 compiles it",
    (vector) => {
      const program = fromLegacy(vector, vector.words);
      const routines = (vector.routines ?? []).map((words) => fromLegacy(vector, words));
      expect(hexOf(program.bytes)).toBe(vector.words_1_1!.join(""));
      expect(routines.map(({ bytes }) => hexOf(bytes))).toEqual(
        (vector.routines_1_1 ?? []).map((words) => words.join("")),
      );
      if (vector.error_1_1 === undefined) {
        expect(compiled(vector, program, routines)).toBe(vector.text_1_1);
      } else {
        const { code } = thrownBy(() => compiled(vector, program, routines));
        expect(code).toBe(vector.error_1_1.replace("STACK_PTX_ERROR_", ""));
      }
    },
  );

  it.each(LEGACY_VECTORS.filter(({ refused }) => refused !== undefined))(
    "case $id is refused at its first wrong word",
    (vector) => {
      const programs = [...(vector.routines ?? []), vector.words];
      const names = [...(vector.routines ?? []).map((_, index) => `routine ${index}`), "main"];
      const refusals = programs.map((words) => {
        try {
          fromLegacy(vector, words);
          return undefined;
        } catch (error) {
          expect(error).toBeInstanceOf(StackPtxError);
          expect(error).toMatchObject({ code: "LEGACY_PROGRAM" });
          return error as StackPtxError;
        }
      });
      const first = refusals.findIndex((refusal) => refusal !== undefined);
      const { reason, instruction, place } = refusals[first]!;
      expect({ reason, program: names[first], word: instruction }).toEqual(vector.refused);
      expect(place).toEqual({ routine: undefined, instruction });
    },
  );

  it.each(LEGACY_VECTORS)("case $id has the dialects that the rules give", (vector) => {
    const answers = [vector.words, vector.words_1_1].flatMap((words) =>
      words === undefined
        ? [null, null]
        : [
            detectDialect(bytesOf(words), { complete: true }),
            detectDialect(StackProgram.fromBytes(bytesOf(words.slice(0, -1))).words, { complete: false }),
          ],
    );
    expect(answers).toEqual(vector.detect);
  });

  it("are refused as programs of 1.1 wherever they are complete", () => {
    for (const { words } of LEGACY_VECTORS) {
      const bytes = bytesOf(words);
      const program = StackProgram.fromBytes(bytes);
      expect(thrownBy(() => StackProgram.fromBytes(bytes, { complete: true }))).toMatchObject({
        code: "LEGACY_PROGRAM",
        reason: "dialect",
      });
      const written = thrownBy(() => [...writeProgramFile(FILE_TABLE, {}, [program])]);
      expect(written).toMatchObject({ code: "LEGACY_PROGRAM", reason: "dialect" });
      const list = [1, program.length, ...program.words];
      const fingerprint = new Array<number>(8).fill(0xbbbbbbbb);
      const file = handmade(
        [0x504d4d89, 0x0a0d5854, 1],
        ["HEAD", [...fingerprint, 0, 0, 0]],
        ["PROG", list],
        ["DONE", [1, 0]],
      );
      const read = thrownBy(() => readProgramFile(file, FILE_TABLE));
      expect(read).toMatchObject({ code: "LEGACY_PROGRAM", file: { offset: 92, program: 0 } });
      expect(read.message).toContain("StackProgram.fromLegacy");
    }
  });

  it("are taken as programs of 1.1 once they are converted", () => {
    for (const { words_1_1: words } of LEGACY_VECTORS) {
      if (words === undefined) continue;
      const program = StackProgram.fromBytes(bytesOf(words), { complete: true });
      const file = Buffer.concat([...writeProgramFile(FILE_TABLE, {}, [program])]);
      expect(readProgramFile(file, FILE_TABLE).programs[0]!.equals(program)).toBe(true);
    }
  });
});
