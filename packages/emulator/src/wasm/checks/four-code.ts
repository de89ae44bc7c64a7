// The functions of a translated module that record accesses of four neighbouring threads to four consecutive granules,
// each thread to its own, as vectors with one element for each thread. They do so in the usual cases: no earlier access
// of another thread since the block's last barrier, or, for reads, only reads. Otherwise they change nothing.
import { Code } from "../binary/code.js";
import type { ModuleBuilder } from "../binary/module.js";
import type { ModuleFrame } from "../frame.js";
import { addCell, addLine, pushEntry, setEpochs } from "./cells.js";
import {
  ALONE,
  cellOf,
  ENTRY_LINES,
  FIRST_THREAD,
  LAST_THREAD,
  LINE_EPOCH,
  NO_PAGE,
  RECORDS,
  SHADOW_PAGE,
  type ShadowShape,
  THREAD_MASK,
} from "./layout.js";

/** Reads of shared memory mark lines, because other warps are likely to read the same. */
export type FourKind = "read" | "readShared" | "write";

const LANES = 4;
const FOUR = [0, 1, 2, 3] as const;

/** The bytes of a shuffle of words. */
const words = (...numbers: readonly number[]): number[] =>
  numbers.flatMap((word) => [0, 1, 2, 3].map((byte) => 4 * word + byte));

/** The first halves of two vectors. */
const LOWER_HALVES = words(0, 1, 4, 5);

/**
 * Returns a function that takes the place of the first access and its record. It returns whether it has recorded the
 * accesses.
 */
export function fourFunction(
  builder: ModuleBuilder,
  frame: ModuleFrame,
  shape: ShadowShape,
  kind: FourKind,
): number {
  const index = builder.function({ parameters: ["i32", "i32"], results: ["i32"] });
  builder.define(index, new FourCode(frame, shape).write(kind));
  return index;
}

class FourCode {
  readonly #code = new Code(2);
  readonly #frame: ModuleFrame;
  readonly #shape: ShadowShape;
  readonly #place = 0;
  readonly #now = 1;
  readonly #cell = this.#code.local("i32");
  readonly #block = this.#code.local("i32");
  readonly #epoch = this.#code.local("i32");
  /** The records of the threads' accesses, and the epochs, as vectors. */
  readonly #mine = this.#code.local("v128");
  readonly #blocks = this.#code.local("v128");
  readonly #epochs = this.#code.local("v128");
  readonly #cells = FOUR.map(() => this.#code.local("v128"));
  readonly #write = this.#record();
  readonly #read = this.#record();

  constructor(frame: ModuleFrame, shape: ShadowShape) {
    this.#frame = frame;
    this.#shape = shape;
  }

  #record() {
    return { word: this.#code.local("v128"), epoch: this.#code.local("v128") };
  }

  write(kind: FourKind): Code {
    const code = this.#code;
    const slow = code.block();
    this.#load(slow);
    this.#recordFirst(kind === "write" ? 0 : 1);
    this.#transpose();
    // Earlier accesses by the same thread do not race.
    code.scratch("v128", (recent) => {
      this.#pushIsRecent(this.#write.epoch);
      code.set(recent);
      this.#pushIsOther(this.#write.word);
      code.get(recent).op("v128.and");
      if (kind === "write") {
        this.#pushIsRecent(this.#read.epoch);
        this.#pushIsOther(this.#read.word);
        code.op("v128.and").op("v128.or");
      } else if (this.#shape.warps) {
        this.#pushIsRecent(this.#read.epoch);
        code.get(this.#read.epoch).get(this.#epochs).op("i32x4.ne").op("v128.and").op("v128.or");
      }
      code.op("v128.any_true").brIf(slow);
      if (kind === "write") this.#recordWrite();
      else this.#recordRead(kind === "readShared" ? recent : undefined);
    });
    code.i32(1).op("return").end().i32(0);
    return code;
  }

  /** Loads the cells, or leaves. */
  #load(slow: ReturnType<Code["block"]>): void {
    const code = this.#code;
    const { globals } = this.#frame;
    const { granule, strong } = this.#shape;
    const size = 1 << cellOf(this.#shape);
    // The threads are of one warp, and the places of one page.
    code
      .getGlobal(globals.ntidX)
      .i32(LANES - 1)
      .op("i32.and")
      .brIf(slow);
    code
      .get(this.#place)
      .get(this.#place)
      .i32((LANES - 1) << granule)
      .op("i32.add");
    code.op("i32.xor").i32(SHADOW_PAGE).op("i32.shr_u").brIf(slow);
    pushEntry(code, this.#frame, this.#place);
    code.memory("i32.load").tee(this.#cell).i32(NO_PAGE).op("i32.eq").brIf(slow).get(this.#cell);
    addCell(code, this.#shape, this.#place);
    code.set(this.#cell);
    setEpochs(code, this.#frame, this.#shape, this.#now, this.#block, this.#epoch);
    code.get(this.#block).op("i32x4.splat").set(this.#blocks);
    code.get(this.#epoch).op("i32x4.splat").set(this.#epochs);
    code.get(this.#now).op("i32x4.splat");
    code.v128(
      FOUR.map((lane) => BigInt((lane * ALONE) >>> 0)),
      32,
    );
    code.op("i32x4.add").set(this.#mine);
    if (strong) {
      for (const i of FOUR) {
        code.get(this.#cell).memory("v128.load", RECORDS.strongWrite + size * i);
        code.get(this.#blocks).op("i32x4.ge_u");
        if (i > 0) code.op("v128.or");
      }
      code.v128([0n, 0xffffffffn, 0n, 0xffffffffn], 32).op("v128.and").op("v128.any_true").brIf(slow);
    }
    this.#cells.forEach((cell, i) => {
      code
        .get(this.#cell)
        .memory("v128.load", size * i)
        .set(cell);
    });
  }

  /** Records the accesses in one half of the cells, and returns, if they are the first since the last barrier. */
  #recordFirst(half: 0 | 1): void {
    const code = this.#code;
    this.#cells.forEach((cell, i) => {
      code.get(cell);
      if (i > 0) code.op("i32x4.max_u");
    });
    code.get(this.#blocks).op("i32x4.ge_u");
    code.v128([0n, 0xffffffffn, 0n, 0xffffffffn], 32).op("v128.and").op("v128.any_true").op("i32.eqz").if();
    code.scratch("v128", (record) => {
      code.get(this.#now).op("i64.extend_i32_u");
      code.get(this.#epoch).op("i64.extend_i32_u").i64(32n).op("i64.shl").op("i64.or").op("i64x2.splat");
      code
        .v128(half === 0 ? [-1n, 0n] : [0n, -1n], 64)
        .op("v128.and")
        .set(record);
      for (const i of FOUR) {
        const distance = BigInt((i * ALONE) >>> 0);
        code.get(this.#cell).get(record);
        if (i > 0) code.v128(half === 0 ? [distance, 0n] : [0n, distance], 64).op("i32x4.add");
        code.memory("v128.store", i << cellOf(this.#shape));
      }
    });
    code.i32(1).op("return").end();
  }

  /** Collects the records of each kind. */
  #transpose(): void {
    const code = this.#code;
    [this.#write, this.#read].forEach(({ word, epoch }, half) => {
      const pairs = [0, 2].map((first) => {
        const pair = code.take("v128");
        code.get(this.#cells[first]!).get(this.#cells[first + 1]!);
        code.shuffle(words(2 * half, 2 * half + 4, 2 * half + 1, 2 * half + 5)).set(pair);
        return pair;
      });
      for (const pair of pairs) code.get(pair);
      code.shuffle(LOWER_HALVES).set(word);
      for (const pair of pairs) code.get(pair);
      code.shuffle(words(2, 3, 6, 7)).set(epoch);
      for (const pair of pairs) code.release("v128", pair);
    });
  }

  /** Pushes whether records are not older than the block's last barrier. */
  #pushIsRecent(epoch: number): void {
    this.#code.get(epoch).get(this.#blocks).op("i32x4.ge_u");
  }

  /** Pushes whether records have another thread than the accesses. */
  #pushIsOther(word: number): void {
    const code = this.#code;
    code.get(word).get(this.#mine).op("v128.xor").i32(FIRST_THREAD).op("i32x4.shr_u");
    code.v128([0n, 0n], 64).op("i32x4.ne");
  }

  /** Stores each thread's record, with the epoch, in one half of its cell. */
  #store(word: number, pushCell: (i: number, half: readonly number[]) => void): void {
    const code = this.#code;
    code.scratch("v128", (pair) => {
      FOUR.forEach((i) => {
        if (i % 2 === 0) {
          code.get(word).get(this.#epochs);
          code.shuffle(words(i, i + 4, i + 1, i + 5)).set(pair);
        }
        code.get(this.#cell).get(pair);
        pushCell(i, [2 * (i % 2), 2 * (i % 2) + 1]);
        code.memory("v128.store", i << cellOf(this.#shape));
      });
    });
  }

  /** All earlier accesses precede the writes, and thus everything that they precede. */
  #recordWrite(): void {
    this.#store(this.#mine, (_, half) => void this.#code.v128([0n, 0n], 64).shuffle(words(...half, 4, 5)));
  }

  /** @param recentWrite whether writes are recent, where lines are marked */
  #recordRead(recentWrite: number | undefined): void {
    const code = this.#code;
    const { word, epoch } = this.#read;
    const threads = code.take("v128");
    const fresh = code.take("v128");
    const added = code.take("v128");
    code.get(this.#mine).i32(LAST_THREAD).op("i32x4.shr_u").set(threads);
    code.get(epoch).get(this.#blocks).op("i32x4.lt_u").set(fresh);
    // A second thread of the warp is added, and one of another warp.
    this.#withThreads(word, (first, last) => {
      code.get(first).get(last).op("i32x4.eq");
      this.#pushIsOtherWarp(first, last);
      code.op("v128.not");
      this.#pushIsOtherWarp(first, threads);
      code.op("v128.and").op("v128.or").set(added);
    });
    code.get(this.#mine);
    code
      .get(word)
      .i32(~(THREAD_MASK << LAST_THREAD))
      .op("i32x4.splat")
      .op("v128.and");
    code.get(threads).i32(LAST_THREAD).op("i32x4.shl").op("v128.or");
    code.get(word).get(added).op("v128.bitselect");
    code.get(fresh).op("v128.bitselect").tee(added);
    code.get(word).op("v128.xor").get(fresh).op("v128.or").op("v128.any_true").if();
    this.#store(added, (i, half) => {
      code.get(this.#cells[i]!);
      code.shuffle(words(4, 5, ...half));
    });
    code.end();
    if (recentWrite !== undefined) this.#markLine(added, threads, recentWrite);
    for (const local of [threads, fresh, added]) code.release("v128", local);
  }

  /** Marks the line of the places if no plain read of the warp, or of any thread, needs a record there. */
  #markLine(word: number, threads: number, recentWrite: number): void {
    const code = this.#code;
    const incomplete = code.block();
    code
      .get(this.#place)
      .i32((LANES << this.#shape.granule) - 1)
      .op("i32.and")
      .brIf(incomplete);
    code.get(recentWrite).op("v128.any_true").brIf(incomplete);
    this.#withThreads(word, (first, last) => {
      code.scratch("v128", (ofAll) => {
        this.#pushIsOtherWarp(first, last);
        code.tee(ofAll).get(first).get(last).op("i32x4.ne");
        this.#pushIsOtherWarp(first, threads);
        code.op("v128.andnot").op("v128.or").op("i32x4.all_true").op("i32.eqz").brIf(incomplete);
        pushEntry(code, this.#frame, this.#place);
        code.memory("i32.load", ENTRY_LINES);
        addLine(code, this.#shape, this.#place);
        code.get(this.#block).i32(LINE_EPOCH).op("i32.shl");
        code.get(this.#epoch).i32(LINE_EPOCH).op("i32.shl");
        code.get(threads).lane("i32x4.extract_lane", 0).i32(5).op("i32.shr_u").i32(1).op("i32.add");
        code.op("i32.or").get(ofAll).op("i32x4.all_true").op("select").memory("i32.store");
      });
    });
    code.end();
  }

  /** Provides the first and the last threads of records. */
  #withThreads(word: number, use: (first: number, last: number) => void): void {
    const code = this.#code;
    code.scratch("v128", (first) => {
      code.scratch("v128", (last) => {
        code.get(word).i32(FIRST_THREAD).op("i32x4.shr_u");
        code.i32(THREAD_MASK).op("i32x4.splat").op("v128.and").set(first);
        code.get(word).i32(LAST_THREAD).op("i32x4.shr_u").set(last);
        use(first, last);
      });
    });
  }

  #pushIsOtherWarp(a: number, b: number): void {
    const code = this.#code;
    code.get(a).get(b).op("v128.xor").i32(5).op("i32x4.shr_u").v128([0n, 0n], 64).op("i32x4.ne");
  }
}
