// `wmma.load` and `wmma.store` of a matrix whose address and stride are the same in all lanes, and which is in memory
// as a whole. Lanes 4 i to 4 i + 3 are at a constant distance from lanes 0 to 3, so a loop moves four lanes at a time.
import type { Step } from "../../control/step.js";
import { TYPES } from "../../program/types.js";
import { fragmentAccess } from "../../run/fragments.js";
import type { Code, Label } from "../binary/code.js";
import type { ModuleFrame } from "../frame.js";
import { leaveUnlessRangeMapped } from "../mapped.js";
import { GROUPS, LANES, type SavedPlaces, type WarpCode, type WarpValue, warpValue } from "./values.js";

/** The lanes that are moved together. */
const TOGETHER = 4;
const VECTOR_BYTES = 16;
const DOUBLE_BYTES = 8;
/** A distance between lines that is larger than any line. */
const APART = 1024;

/** Where an element of lanes 0 to 3 is: the number of its row, or column, and the place there. */
interface Element {
  readonly line: number;
  readonly place: number;
}

interface Layout {
  /** By register, lane and element. */
  readonly elements: readonly (readonly (readonly Element[])[])[];
  /** The increments of line and place from four lanes to the next four. */
  readonly next: Element;
  readonly lines: number;
  /** The places of a line. */
  readonly length: number;
}

/** @returns false for forms that have no code */
export function writeFragmentMove(
  warp: WarpCode,
  step: Step,
  places: SavedPlaces,
  { module, pageTable, leave }: { module: ModuleFrame; pageTable: number; leave: Label },
): boolean {
  const fragment = fragmentAccess(step.operation);
  const { operands } = step.source;
  if (fragment === undefined || ![8, 16, 32, 64].includes(fragment.bits)) return false;
  const isLoad = fragment.kind === "load";
  const [vector, address] = isLoad ? operands : [operands[1], operands[0]];
  if (address?.kind !== "address" || address.base.kind !== "register" || vector === undefined) return false;
  const items = (vector.kind === "vector" ? vector.items : [vector]).map((item) =>
    warpValue(step, item, places),
  );
  const base = warpValue(step, address.base, places);
  const stride =
    operands[2] === undefined ? { constant: BigInt(fragment.stride) } : warpValue(step, operands[2], places);
  const layout = layoutOf(fragment);
  if (base === undefined || "constant" in base || stride === undefined || layout === undefined) return false;
  // If a later warp cannot be moved, this one is moved again.
  if (isLoad && items.some((item) => isSame(item, stride))) return false;
  const { code } = warp;
  const { bits, registers, elements: count } = fragment;
  const bytes = bits / 8;
  const isShared = step.operation.space === "shared";
  const isWide = TYPES[step.context.body.registers[address.base.register]!.type].bits === 64;

  const from = code.take("i64");
  const apart = code.take("i64");
  if (isWide) {
    code.get(warp.wideBase).memory("i64.load", base.slot).set(from);
    leaveUnlessEqual(code, warp.wideBase, base.slot, from, "i64", leave);
    code.get(from).i64(BigInt(address.offset)).op("i64.add").set(from);
  } else {
    code.scratch("i32", (narrow) => {
      code.get(warp.base).memory("i32.load", base.slot).set(narrow);
      leaveUnlessEqual(code, warp.base, base.slot, narrow, "i32", leave);
      code.get(narrow).i32(address.offset).op("i32.add").op("i64.extend_i32_u").set(from);
    });
  }
  code.scratch("i32", (narrow) => {
    if ("constant" in stride) code.i32(Number(BigInt.asIntN(32, stride.constant))).set(narrow);
    else {
      code.get(warp.base).memory("i32.load", stride.slot).set(narrow);
      leaveUnlessEqual(code, warp.base, stride.slot, narrow, "i32", leave);
    }
    code.get(narrow).op("i64.extend_i32_u").i64(BigInt(bytes)).op("i64.mul").set(apart);
  });

  // The order of stores matters where lines overlap.
  if (!isLoad)
    code
      .get(apart)
      .i64(BigInt(layout.length * bytes))
      .op("i64.lt_u")
      .brIf(leave);
  // Each line has to be in memory.
  code
    .get(from)
    .i64(BigInt(bytes - 1))
    .op("i64.and")
    .i64(0n)
    .op("i64.ne")
    .brIf(leave);
  code.scratch("i64", (line) => {
    code.scratch("i64", (end) => {
      code.scratch("i32", (left) => {
        code.get(from).set(line).i32(layout.lines).set(left);
        const loop = code.loop();
        code
          .get(line)
          .i64(BigInt(layout.length * bytes))
          .op("i64.add")
          .set(end);
        if (isShared) {
          for (const place of [line, end])
            code
              .get(place)
              .getGlobal(module.globals.sharedBytes)
              .op("i64.extend_i32_u")
              .op("i64.gt_u")
              .brIf(leave);
        } else leaveUnlessRangeMapped(code, module, pageTable, line, end, leave);
        code.get(line).get(apart).op("i64.add").set(line);
        code.get(left).i32(1).op("i32.sub").tee(left).brIf(loop).end();
      });
    });
  });

  // Where each line begins for the lanes that are moved.
  const lines = new Map<number, number>();
  for (const element of layout.elements.flat(2)) {
    if (lines.has(element.line)) continue;
    const local = code.take("i32");
    lines.set(element.line, local);
    code.get(from).get(apart).i64(BigInt(element.line)).op("i64.mul").op("i64.add").op("i32.wrap_i64");
    if (isShared) code.getGlobal(module.globals.shared).op("i32.add");
    code.set(local);
  }
  const [at, wideAt, step4, left] = [0, 1, 2, 3].map(() => code.take("i32")) as [
    number,
    number,
    number,
    number,
  ];
  code.get(apart).op("i32.wrap_i64").i32(layout.next.line).op("i32.mul");
  code
    .i32(layout.next.place * bytes)
    .op("i32.add")
    .set(step4);
  code.get(warp.base).set(at).get(warp.wideBase).set(wideAt).i32(GROUPS).set(left);
  const loop = code.loop();
  for (let register = 0; register < registers; register++) {
    const lanes = layout.elements[register]!;
    if (bits === 64) moveDoubles(code, lanes, lines, wideAt, items[register], isLoad);
    else if (isLoad)
      loadLanes(code, lanes, bits, lines, (vectorOf) => {
        // Registers beyond those that the matrix needs hold copies.
        for (let item = register; item < items.length; item += registers) {
          const to = items[item];
          if (to !== undefined && "slot" in to) {
            code.get(at);
            vectorOf();
            code.memory("v128.store", to.slot);
          }
        }
      });
    else storeLanes(code, lanes, bits, lines, () => pushItem(code, at, items[register]), count);
  }
  for (const local of lines.values()) code.get(local).get(step4).op("i32.add").set(local);
  code.get(at).i32(VECTOR_BYTES).op("i32.add").set(at);
  code
    .get(wideAt)
    .i32(TOGETHER * DOUBLE_BYTES)
    .op("i32.add")
    .set(wideAt);
  code.get(left).i32(1).op("i32.sub").tee(left).brIf(loop).end();
  for (const local of [left, step4, wideAt, at, ...lines.values()]) code.release("i32", local);
  for (const local of [apart, from]) code.release("i64", local);
  return true;
}

const isSame = (a: WarpValue, b: WarpValue): boolean =>
  a !== undefined && b !== undefined && "slot" in a && "slot" in b && a.slot === b.slot;

/** Branches away unless all lanes have the value in a local. */
function leaveUnlessEqual(
  code: Code,
  base: number,
  slot: number,
  value: number,
  type: "i32" | "i64",
  away: Label,
): void {
  const shape = type === "i64" ? "i64x2" : "i32x4";
  const lanes = type === "i64" ? 2 : 4;
  code.scratch("v128", (wanted) => {
    code.get(value).op(`${shape}.splat`).set(wanted);
    for (let vector = 0; vector < LANES / lanes; vector++) {
      code
        .get(base)
        .memory("v128.load", slot + VECTOR_BYTES * vector)
        .get(wanted)
        .op("v128.xor");
      if (vector > 0) code.op("v128.or");
    }
    code.op("v128.any_true").brIf(away);
  });
}

/** Where the elements of a fragment are; undefined when the lanes are not at constant distances. */
function layoutOf(fragment: NonNullable<ReturnType<typeof fragmentAccess>>): Layout | undefined {
  const { registers, elements: count, index } = fragment;
  const locate = (lane: number, register: number, element: number): Element => {
    const offset = index(lane, register, element, APART);
    return { line: Math.floor(offset / APART), place: offset % APART };
  };
  const elements = Array.from({ length: registers }, (_, register) =>
    Array.from({ length: TOGETHER }, (__, lane) =>
      Array.from({ length: count }, (___, element) => locate(lane, register, element)),
    ),
  );
  const [first, second] = [locate(0, 0, 0), locate(TOGETHER, 0, 0)];
  const next = { line: second.line - first.line, place: second.place - first.place };
  let [lines, length] = [0, 0];
  for (let lane = 0; lane < LANES; lane++) {
    for (let register = 0; register < registers; register++) {
      for (let element = 0; element < count; element++) {
        const { line, place } = locate(lane, register, element);
        const near = elements[register]![lane % TOGETHER]![element]!;
        const groups = Math.floor(lane / TOGETHER);
        if (line !== near.line + groups * next.line || place !== near.place + groups * next.place)
          return undefined;
        lines = Math.max(lines, line + 1);
        length = Math.max(length, place + 1);
      }
    }
  }
  return { elements, next, lines, length };
}

/** Whether the elements of four lanes are next to each other. */
const areTogether = (lanes: readonly (readonly Element[])[]): boolean => {
  const all = lanes.flat();
  return all.every(({ line, place }, i) => line === all[0]!.line && place === all[0]!.place + i);
};

function loadLanes(
  code: Code,
  lanes: readonly (readonly Element[])[],
  bits: number,
  lines: ReadonlyMap<number, number>,
  use: (push: () => void) => void,
): void {
  const bytes = bits / 8;
  const opcode = bits === 32 ? "i32.load" : bits === 16 ? "i32.load16_u" : "i32.load8_u";
  code.scratch("v128", (vector) => {
    const [[first]] = lanes as readonly [readonly [Element]];
    if (areTogether(lanes)) code.get(lines.get(first.line)!).memory("v128.load", first.place * bytes);
    else {
      lanes.forEach((elements, lane) => {
        if (lane === 0) code.i32(0).op("i32x4.splat");
        elements.forEach(({ line, place }, element) => {
          code.get(lines.get(line)!).memory(opcode, place * bytes);
          if (element > 0)
            code
              .i32(bits * element)
              .op("i32.shl")
              .op("i32.or");
        });
        code.lane("i32x4.replace_lane", lane);
      });
    }
    code.set(vector);
    use(() => code.get(vector));
  });
}

function storeLanes(
  code: Code,
  lanes: readonly (readonly Element[])[],
  bits: number,
  lines: ReadonlyMap<number, number>,
  push: () => void,
  count: number,
): void {
  const bytes = bits / 8;
  const opcode = bits === 32 ? "i32.store" : bits === 16 ? "i32.store16" : "i32.store8";
  code.scratch("v128", (vector) => {
    push();
    code.set(vector);
    for (const [lane, elements] of lanes.entries()) {
      for (let element = 0; element < count; element++) {
        const { line, place } = elements[element]!;
        code.get(lines.get(line)!).get(vector).lane("i32x4.extract_lane", lane);
        if (element > 0) code.i32(bits * element).op("i32.shr_u");
        code.memory(opcode, place * bytes);
      }
    }
  });
}

/** Moves the double words of four lanes, of which a register has one. */
function moveDoubles(
  code: Code,
  lanes: readonly (readonly Element[])[],
  lines: ReadonlyMap<number, number>,
  at: number,
  item: WarpValue,
  isLoad: boolean,
): void {
  for (const [lane, [element]] of lanes.entries()) {
    const { line, place } = element!;
    const pushLine = () => code.get(lines.get(line)!);
    const memory = place * DOUBLE_BYTES;
    if (item === undefined || "constant" in item) {
      if (!isLoad)
        pushLine()
          .i64(item?.constant ?? 0n)
          .memory("i64.store", memory);
      continue;
    }
    const saved = item.slot + DOUBLE_BYTES * lane;
    if (isLoad) {
      code.get(at);
      pushLine().memory("i64.load", memory).memory("i64.store", saved);
    } else pushLine().get(at).memory("i64.load", saved).memory("i64.store", memory);
  }
}

/** Pushes four lanes of a value, from the local with their place in the frame. */
function pushItem(code: Code, at: number, item: WarpValue): void {
  if (item === undefined) code.v128([0n, 0n], 64);
  else if ("constant" in item) code.v128(Array<bigint>(4).fill(item.constant), 32);
  else code.get(at).memory("v128.load", item.slot);
}
