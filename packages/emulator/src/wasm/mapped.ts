// Checks a range of addresses of any length: one within a page in place, and a longer one by a function of the
// translated module.
import { ADDRESS_UPPER, PAGE_BYTES } from "../run/memory.js";
import { Code, type Label } from "./binary/code.js";
import type { ModuleBuilder } from "./binary/module.js";
import type { ModuleFrame } from "./frame.js";

/** Longer ranges are not checked at once. */
const MOST_PAGES = 1 << 14;

/**
 * Branches away unless all bytes from an address to before another one are in one allocation.
 *
 * @param from a local, i64
 * @param to a local, i64, that is greater
 */
export function leaveUnlessRangeMapped(
  code: Code,
  { mapped }: Pick<ModuleFrame, "mapped">,
  pageTable: number,
  from: number,
  to: number,
  away: Label,
): void {
  const isMapped = code.block();
  const isLong = code.block();
  code.scratch("i64", (last) => {
    code.get(to).i64(1n).op("i64.sub").tee(last).get(from).op("i64.xor");
    code.i64(BigInt(PAGE_BYTES)).op("i64.ge_u").brIf(isLong);
    code.get(from).i64(32n).op("i64.shr_u").i64(BigInt(ADDRESS_UPPER)).op("i64.ne").brIf(isLong);
    code.get(last).op("i32.wrap_i64");
    code
      .i32(PAGE_BYTES - 1)
      .op("i32.and")
      .get(last)
      .op("i32.wrap_i64");
    code.i32(Math.log2(PAGE_BYTES)).op("i32.shr_u").i32(1).op("i32.shl").memory("i32.load16_u", pageTable);
    code.op("i32.lt_u").brIf(isMapped);
  });
  code.end();
  code.get(from).get(to).call(mapped(pageTable)).op("i32.eqz").brIf(away).end();
}

/** Adds a function that returns whether all bytes from an address to before another one are in one allocation. */
export function mappedFunction(builder: ModuleBuilder, pageTable: number): number {
  const code = new Code(2);
  const [from, to] = [0, 1];
  const [page, last] = [code.local("i32"), code.local("i32")];
  const refuse = () => {
    code.if();
    code.i32(0).op("return").end();
  };
  const pageOf = (push: () => void) => {
    push();
    return code.op("i32.wrap_i64").i32(Math.log2(PAGE_BYTES)).op("i32.shr_u");
  };
  const pushLast = () => code.get(to).i64(1n).op("i64.sub");
  const pushBytes = () => code.get(page).i32(1).op("i32.shl").memory("i32.load16_u", pageTable);
  for (const push of [() => code.get(from), pushLast]) {
    push();
    code.i64(32n).op("i64.shr_u").i64(BigInt(ADDRESS_UPPER)).op("i64.ne");
    refuse();
  }
  pageOf(() => code.get(from)).set(page);
  pageOf(pushLast).set(last);
  code.get(last).get(page).op("i32.sub").i32(MOST_PAGES).op("i32.gt_u");
  refuse();
  const done = code.block();
  const loop = code.loop();
  code.get(page).get(last).op("i32.eq").brIf(done);
  pushBytes();
  code.i32(PAGE_BYTES).op("i32.ne");
  refuse();
  code.get(page).i32(1).op("i32.add").set(page).br(loop).end().end();
  pushBytes();
  pushLast();
  code
    .op("i32.wrap_i64")
    .i32(PAGE_BYTES - 1)
    .op("i32.and")
    .op("i32.gt_u");
  const index = builder.function({ parameters: ["i64", "i64"], results: ["i32"] });
  builder.define(index, code);
  return index;
}
