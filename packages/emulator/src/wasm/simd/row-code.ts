// Code for the beginning of a row: computes addresses for its first thread, and checks what has to hold for all of its
// threads.
import type { Step } from "../../control/step.js";
import { TYPES } from "../../program/types.js";
import type { Label } from "../binary/code.js";
import type { Opcode } from "../binary/opcodes.js";
import type { Emitter } from "../emit/emitter.js";
import type { Cursor, Range } from "../emit/ranges.js";
import { writeStep } from "../emit/table.js";
import { leaveUnlessRangeMapped } from "../mapped.js";
import type { RowFacts } from "./rows.js";

/** The registers of a row that are kept in locals of their own. */
export interface Row {
  /** The local with the number of threads that are left. */
  readonly left: number;
  readonly cursors: ReadonlyMap<Range, Cursor>;
  /** For each block whose branch is decided, the local with its predicate. */
  readonly conditions: ReadonlyMap<number, number>;
}

/**
 * Emits the checks of a row.
 *
 * @param left a local with the number of threads, at least 1
 * @param stepOf the step that computes a register
 * @param away where to go unless everything holds for the row
 */
export function enterRow(
  emitter: Emitter,
  facts: RowFacts,
  left: number,
  stepOf: (register: number) => Step,
  away: Label,
): Row {
  const { code, locals } = emitter;
  const { types, registerTypes, module, pageTable } = emitter.facts;
  const kept = facts.slice.map((register) => [register, locals[register]!] as const);
  for (const register of facts.slice) {
    locals[register] = code.local(types[register]!);
    writeStep(emitter, stepOf(register));
  }
  const span = code.local("i64");
  code.get(left).i32(1).op("i32.sub").op("i64.extend_i32_u").set(span);
  const pushLast = (push: () => void, stride: number) => {
    push();
    if (stride !== 0) code.get(span).i64(BigInt(stride)).op("i64.mul").op("i64.add");
  };
  const source = (step: Step, i: number, signed: boolean) => () => {
    emitter.push(step, i);
    code.op(`i64.extend_i32_${signed ? "s" : "u"}`);
  };
  for (const { step, source: i, stride, signed } of facts.unwrapped) {
    code.scratch("i64", (value) => {
      pushLast(source(step, i, signed), stride);
      code
        .tee(value)
        .get(value)
        .op("i32.wrap_i64")
        .op(`i64.extend_i32_${signed ? "s" : "u"}`);
      code.op("i64.ne").brIf(away);
    });
  }
  for (const { step, name, signed, strides } of facts.comparisons) {
    for (const isLast of [false, true]) {
      for (const i of [0, 1])
        pushLast(source(step, step.operation.results + i, signed), isLast ? strides[i]! : 0);
      code.op(`i64.${name}_s` as Opcode);
    }
    code.op("i32.ne").brIf(away);
  }
  const cursors = new Map<Range, Cursor>();
  for (const [range, stride] of facts.ranges) {
    const cursor = code.local("i32");
    code.scratch("i64", (from) => {
      code.scratch("i64", (to) => {
        const isNarrow = TYPES[registerTypes[range.register]!].bits === 32;
        emitter.getRegister(range.register);
        emitter.convert(types[range.register]!, isNarrow ? "i32" : "i64");
        if (isNarrow) code.i32(range.from).op("i32.add").op("i64.extend_i32_u");
        else code.i64(BigInt(range.from)).op("i64.add");
        code.tee(from).op("i32.wrap_i64");
        if (range.isShared) code.getGlobal(module.globals.shared).op("i32.add");
        code.set(cursor);
        if (range.size > 1)
          code
            .get(from)
            .i64(BigInt(range.size - 1))
            .op("i64.and")
            .i64(0n)
            .op("i64.ne")
            .brIf(away);
        pushLast(() => code.get(from), stride);
        code
          .i64(BigInt(range.to - range.from))
          .op("i64.add")
          .set(to);
        if (range.isShared) {
          for (const end of [from, to]) {
            code
              .get(end)
              .getGlobal(module.globals.sharedBytes)
              .op("i64.extend_i32_u")
              .op("i64.gt_u")
              .brIf(away);
          }
        } else leaveUnlessRangeMapped(code, module, pageTable, from, to, away);
      });
    });
    cursors.set(range, { local: cursor, stride });
  }
  const conditions = new Map<number, number>();
  for (const [block, register] of facts.conditions) {
    const local = code.local("i32");
    emitter.getRegister(register);
    code.set(local);
    conditions.set(block, local);
  }
  for (const [register, local] of kept) locals[register] = local;
  return { left, cursors, conditions };
}
