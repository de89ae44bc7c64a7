// Proves what the rows of the instruction table state about their instructions besides operands and types: the
// interpreter executes instances of every row on values, with other memory, with the carry flag, and twice. The
// translator relies on these statements, and a wrong one would miscompile kernels without any other sign.
import { describe, expect, it } from "vitest";
import { checkProgram } from "../../src/index.js";
import { Interpreter } from "../../src/interpreter/index.js";
import { readForm } from "../../src/isa/notation.js";
import { formsOf, instructionRows } from "../../src/isa/table.js";
import type { Traits } from "../../src/program/operation.js";
import type { Program } from "../../src/program/program.js";
import { TYPES } from "../../src/program/types.js";
import { loadProgram } from "../../src/run/load.js";
import { ADDRESS_BASE } from "../../src/run/memory.js";
import { PagedMemory } from "../../src/run/paged-memory.js";
import {
  type Field,
  fieldsOf,
  type Instance,
  instanceKernel,
  instanceModule,
  instances,
  OUT,
  REGION,
  SLOT,
  THREADS,
  turnedPlace,
  VALUES,
} from "../support/instances.js";

const INSTANCES = instances();
const ROWS = [...instructionRows().keys()].flatMap(formsOf);

describe("every row", () => {
  it("states its traits: a row without any cannot be read", () => {
    expect(() => readForm("op.u32 d, a ; sm_90 8.0")).toThrow("expected traits, found none");
    expect(() => readForm("op.u32 d, a ; harmless")).toThrow("found `harmless`");
    expect(() => readForm("op.u32 d, a ; waits:someone")).toThrow("found `waits:someone`");
    for (const { traits, text } of ROWS) expect(traits.length, text).toBeGreaterThan(0);
  });

  it("never contradicts itself", () => {
    const wrong = INSTANCES.filter(({ match }) => !isConsistent(match.operation.traits));
    expect(wrong.map(({ opcode }) => opcode)).toEqual([]);
  });

  it("has instances, which are executed here unless they jump", () => {
    const seen = new Set(INSTANCES.map(({ match }) => match.form));
    expect(ROWS.filter((form) => !seen.has(form)).map(({ text }) => text)).toEqual([]);
  });

  it("is strong when it names a memory order", () => {
    const names = ["volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"];
    for (const { opcode, match } of INSTANCES) {
      const { traits, words } = match.operation;
      const isAccess = traits.reads || traits.writes;
      if (isAccess && names.some((name) => words.has(name))) expect(traits.strong, opcode).toBe(true);
    }
  });
});

/** A row either has an effect or is repeatable. */
function isConsistent(traits: Traits): boolean {
  const { reads, writes, atomic, strong, takesCarry, givesCarry, waits, flow, repeatable } = traits;
  const does = reads || writes || takesCarry || givesCarry || waits !== undefined || flow !== undefined;
  return (
    does !== repeatable &&
    (!traits.cheap || repeatable) &&
    (!strong || reads || writes) &&
    (!atomic || (reads && writes && strong)) &&
    (traits.commutes === undefined || atomic)
  );
}

/** What a thread leaves: its output, and its region of global memory. */
interface Left {
  readonly out: Uint8Array;
  readonly memory: Uint8Array;
}

type Order = Parameters<typeof instanceKernel>[2];

/** The conditions in which the kernels of instances run. */
interface Setting {
  /** Whether all memory holds the plain contents; with `false`, every bit is inverted. */
  readonly isPlain: boolean;
  readonly carry: 0 | 1;
}

let state = 1;
const random = (): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state >>> 16;
};
const randomBytes = (count: number) => Uint8Array.from({ length: count }, random);

/** NaNs with payloads, subnormals, infinities, zeros and ones among random values. */
const SPECIAL = [
  ...[0x7f800001, 0xffc12345, 0x7fc00001, 0x7fffffff, 0x00000001, 0x807fffff, 0x7f800000, 0xff800000],
  ...[0, 0x80000000, 0x3f800000, 0xbf800000, 0x7ff00001, 0xfff80001, 0x7f7fffff, 0x00800000],
];
const VALUE_BYTES = (() => {
  const bytes = randomBytes(SLOT * VALUES * THREADS);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += 4) {
    if (random() % 2 === 0) view.setUint32(at, SPECIAL[random() % SPECIAL.length]!, true);
  }
  return bytes;
})();
const MEMORY_BYTES = randomBytes(REGION * THREADS);
const opposite = (bytes: Uint8Array) => bytes.map((byte) => ~byte);

const CHUNK = 200;

/** Instances as kernels of checked modules. */
interface Prepared {
  readonly instances: readonly Instance[];
  readonly program: Program;
}

const prepare = (all: readonly Instance[], order: Order): readonly Prepared[] =>
  Array.from({ length: Math.ceil(all.length / CHUNK) }, (_, number) => {
    const chunk = all.slice(number * CHUNK, (number + 1) * CHUNK);
    const kernels = chunk.map((instance, index) => instanceKernel(`k${index}`, instance, order));
    return { instances: chunk, program: checkProgram(instanceModule(kernels)) };
  });

/** Runs instances with the interpreter. */
async function run(prepared: readonly Prepared[], { isPlain, carry }: Setting): Promise<readonly Left[]> {
  const left: Left[] = [];
  const filled = isPlain ? MEMORY_BYTES : opposite(MEMORY_BYTES);
  for (const { instances: chunk, program } of prepared) {
    const memory = new PagedMemory(2 ** 24);
    const loaded = loadProgram(program, memory);
    const [values, out, common] = [VALUE_BYTES.length, OUT.bytes * THREADS, filled.length].map((bytes) =>
      memory.take(bytes),
    ) as [number, number, number];
    // Memory grows when a kernel runs, so the view is created each time.
    const bytes = () => new Uint8Array(memory.memory.buffer);
    bytes().set(VALUE_BYTES, values);
    const constants = program.variables.findIndex(({ space }) => space === "const");
    bytes().set(filled.subarray(0, REGION), loaded.addresses[constants]!);
    for (const [index, kernel] of program.functions.entries()) {
      bytes().fill(0, out, out + OUT.bytes * THREADS);
      bytes().set(filled, common);
      const params = new Uint8Array(kernel.parameterBytes);
      const view = new DataView(params.buffer);
      const offsets = kernel.parameters.map((variable) => kernel.variables[variable]!.offset);
      [values, out, common].forEach((place, parameter) => {
        view.setBigUint64(offsets[parameter]!, BigInt(ADDRESS_BASE + place), true);
      });
      view.setUint32(offsets[3]!, carry, true);
      params.set(filled.subarray(0, REGION), offsets[4]!);
      const { fault } = await new Interpreter().run({
        ...{ loaded, kernel, grid: [1, 1, 1], block: [THREADS, 1, 1], dynamicSharedBytes: 0, params },
        limits: { instructions: Infinity, deadline: Infinity, signal: undefined },
        hooks: { print: () => {} },
      });
      const { opcode, match } = chunk[index]!;
      expect(fault?.kind, opcode).toBe(match.operation.traits.flow === "trap" ? "TRAP" : undefined);
      left.push({
        out: bytes().slice(out, out + OUT.bytes * THREADS),
        memory: bytes().slice(common, common + filled.length),
      });
    }
  }
  return left;
}

const threads = Array.from({ length: THREADS }, (_, thread) => thread);

const wordOf = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);

/** The bits of values, one after another. */
function itemsIn(bytes: Uint8Array, start: number, fields: readonly Field[]): readonly bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return fields.flatMap(({ type, items, slot }) =>
    Array.from({ length: Math.max(1, items) }, (_, item) => {
      const at = start + SLOT * (slot + item);
      const whole = view.getBigUint64(at, true) | (view.getBigUint64(at + 8, true) << 64n);
      return BigInt.asUintN(TYPES[type].bits, whole);
    }),
  );
}

const resultsOf = ({ out }: Left, thread: number, results: readonly Field[], which = OUT.first as number) =>
  itemsIn(out, thread * OUT.bytes + which, results);

/** Everything that stores can change, before the run. */
const memoryBefore = (isPlain: boolean): Uint8Array => {
  const filled = isPlain ? MEMORY_BYTES : opposite(MEMORY_BYTES);
  const turned = filled.map((_, at) => filled[turnedPlace(at)]!);
  return Uint8Array.from([...filled, ...turned, ...turned, ...turned]);
};
const BEFORE = memoryBefore(true);
const OTHER_BEFORE = memoryBefore(false);

/** The same memory after the run. */
function memoryAfter({ out, memory }: Left): Uint8Array {
  const after = new Uint8Array(4 * memory.length);
  after.set(memory);
  [OUT.shared, OUT.local, OUT.param].forEach((offset, kind) => {
    for (const thread of threads) {
      const start = thread * OUT.bytes + offset;
      after.set(out.subarray(start, start + REGION), (kind + 1) * memory.length + thread * REGION);
    }
  });
  return after;
}

/** Instances that continue with the next instruction. */
const STRAIGHT = INSTANCES.filter(({ match }) => match.operation.traits.flow === undefined);
const traitsOf = ({ match }: Instance) => match.operation.traits;
const nameOf = ({ match }: Instance) => match.operation.name;

const PLAIN = { isPlain: true, carry: 0 } as const;
const prepared = prepare(STRAIGHT, "once");
const plain = await run(prepared, PLAIN);
const otherMemory = await run(prepared, { isPlain: false, carry: 0 });
const otherCarry = await run(prepared, { isPlain: true, carry: 1 });

/** The instances for which something was observed, and those that state it. */
function compare(
  isSeen: (instance: Instance, index: number) => boolean,
  isStated: (traits: Traits) => boolean,
) {
  const seen = STRAIGHT.filter(isSeen);
  const stated = STRAIGHT.filter((instance) => isStated(traitsOf(instance)));
  const names = (list: readonly Instance[]) => [...new Set(list.map(nameOf))].sort();
  return {
    // An effect that happens without being stated would break kernels.
    unstated: seen.filter((instance) => !isStated(traitsOf(instance))).map(({ opcode }) => opcode),
    // What is stated also has to be observed, because otherwise the test would prove nothing.
    seen: names(seen.filter((instance) => isStated(traitsOf(instance)))),
    stated: names(stated),
  };
}

const hasSameResults = (index: number, other: readonly Left[]): boolean => {
  const { results } = fieldsOf(STRAIGHT[index]!);
  if (results.length === 0) return true;
  return threads.every(
    (thread) =>
      `${resultsOf(plain[index]!, thread, results)}` === `${resultsOf(other[index]!, thread, results)}`,
  );
};

describe("an instruction", () => {
  it("without `writes` leaves memory as it was", () => {
    const { unstated, seen, stated } = compare(
      (_, index) => {
        const after = memoryAfter(plain[index]!);
        return BEFORE.some((byte, at) => byte !== after[at]);
      },
      ({ writes }) => writes,
    );
    expect(unstated).toEqual([]);
    expect(seen).toEqual(stated);
  });

  it("without `reads` returns and stores the same, whatever is in memory", () => {
    const { unstated, seen, stated } = compare(
      (_, index) => {
        const [one, other] = [memoryAfter(plain[index]!), memoryAfter(otherMemory[index]!)];
        const isStored = (at: number) => BEFORE[at] !== one[at] || OTHER_BEFORE[at] !== other[at];
        const storesOther = one.some((byte, at) => byte !== other[at] && isStored(at));
        return storesOther || !hasSameResults(index, otherMemory);
      },
      ({ reads }) => reads,
    );
    expect(unstated).toEqual([]);
    expect(seen).toEqual(stated);
  });

  it("without `takesCarry` returns the same, whatever the flag is", () => {
    const { unstated, seen, stated } = compare(
      (_, index) => !hasSameResults(index, otherCarry),
      ({ takesCarry }) => takesCarry,
    );
    expect(unstated).toEqual([]);
    expect(seen).toEqual(stated);
  });

  it("without `givesCarry` leaves the flag as it was", () => {
    const flagOf = ({ out }: Left, thread: number) => wordOf(out, thread * OUT.bytes + OUT.carry);
    const { unstated, seen, stated } = compare(
      (_, index) =>
        threads.some(
          (thread) => flagOf(plain[index]!, thread) !== 0 || flagOf(otherCarry[index]!, thread) !== 1,
        ),
      ({ givesCarry }) => givesCarry,
    );
    expect(unstated).toEqual([]);
    expect(seen).toEqual(stated);
  });

  it("without `waits` ends before the next thread reaches it", () => {
    const { unstated, seen, stated } = compare(
      (_, index) =>
        threads.some((thread) => wordOf(plain[index]!.out, thread * OUT.bytes + OUT.earlier) !== 1),
      ({ waits }) => waits !== undefined,
    );
    expect(unstated).toEqual([]);
    expect(seen).toEqual(stated);
  });

  it("without `flow` continues with the next one", async () => {
    const isDone = ({ out }: Left) =>
      threads.every((thread) => wordOf(out, thread * OUT.bytes + OUT.done) === 1);
    expect(STRAIGHT.filter((_, index) => !isDone(plain[index]!)).map(({ opcode }) => opcode)).toEqual([]);
    // Instances without operands, because a jump would need a target and a call a callee.
    const ending = INSTANCES.filter((instance) =>
      ["exit", "return", "trap"].includes(traitsOf(instance).flow ?? ""),
    );
    expect((await run(prepare(ending, "once"), PLAIN)).filter(isDone)).toEqual([]);
    expect(ending.map(nameOf)).toContain("exit");
  });

  it("that is `repeatable` returns the same a second time", async () => {
    const repeatable = STRAIGHT.filter((instance) => traitsOf(instance).repeatable);
    const twice = await run(prepare(repeatable, "twice"), PLAIN);
    const wrong = repeatable.filter((instance, index) => {
      const { results } = fieldsOf(instance);
      const given = (thread: number, which: number) => `${resultsOf(twice[index]!, thread, results, which)}`;
      return threads.some((thread) => given(thread, OUT.first) !== given(thread, OUT.second));
    });
    expect(wrong.map(({ opcode }) => opcode)).toEqual([]);
  });

  it("that `moves` bits keeps them, including NaN payloads", () => {
    const moving = STRAIGHT.filter((instance) => traitsOf(instance).moves);
    const wrong = moving.filter((instance) => {
      const { results, sources } = fieldsOf(instance);
      const left = plain[STRAIGHT.indexOf(instance)]!;
      const widths = [...results, ...sources].map(({ type }) => TYPES[type].bits).filter((bits) => bits > 1);
      const size = Math.min(...widths);
      const { reads, waits } = traitsOf(instance);
      return threads.some((thread) => {
        const givers = waits === undefined ? [thread] : threads;
        const known = new Set([
          ...givers.flatMap((giver) =>
            partsOf(itemsIn(VALUE_BYTES, giver * SLOT * VALUES, sources), sources, size),
          ),
          // A thread's own region, or the region of constants and parameters.
          ...(reads ? [thread, 0].flatMap((owner) => partsOfRegion(owner, size)) : []),
        ]);
        return partsOf(resultsOf(left, thread, results), results, size).some((part) => !known.has(part));
      });
    });
    expect(wrong.map(({ opcode }) => opcode)).toEqual([]);
    expect(moving.map(nameOf)).toEqual(expect.arrayContaining(["mov", "selp", "ld", "shfl"]));
  });

  it("that is `canonical` returns only the canonical f32 NaN, and no subnormal with `.ftz`", () => {
    const canonical = STRAIGHT.filter((instance) => traitsOf(instance).canonical);
    const nans = new Set<string>();
    const wrong = canonical.filter((instance) => {
      const { results } = fieldsOf(instance);
      const left = plain[STRAIGHT.indexOf(instance)]!;
      expect(results[0]!.type, instance.opcode).toBe("f32");
      return threads.some((thread) => {
        const bits = Number(resultsOf(left, thread, results)[0]!);
        const [exponent, fraction] = [(bits >>> 23) & 0xff, bits & 0x7fffff];
        const isNan = exponent === 0xff && fraction !== 0;
        if (isNan) nans.add(nameOf(instance));
        const isSubnormal = exponent === 0 && fraction !== 0;
        return (isNan && bits !== 0x7fffffff) || (isSubnormal && instance.match.operation.words.has("ftz"));
      });
    });
    expect(wrong.map(({ opcode }) => opcode)).toEqual([]);
    expect([...nans]).toEqual(expect.arrayContaining(["add", "fma", "neg", "cvt", "min", "sqrt", "tanh"]));
  });

  it("that `commutes` leaves the same in memory, whichever of two comes first", async () => {
    const commuting = STRAIGHT.filter((instance) => traitsOf(instance).commutes !== undefined);
    const memories = async (order: Order, list: readonly Instance[]) =>
      (await run(prepare(list, order), PLAIN)).map((left) => `${memoryAfter(left)}`);
    expect(await memories("own, other", commuting)).toEqual(await memories("other, own", commuting));
    // For operations that do not state it, the order does matter.
    const exchanges = STRAIGHT.filter(({ match }) => match.operation.words.has("exch"));
    const [one, other] = [await memories("own, other", exchanges), await memories("other, own", exchanges)];
    expect(one.every((memory, index) => memory !== other[index])).toBe(true);
    const kinds = new Set(commuting.map((instance) => traitsOf(instance).commutes));
    expect([...kinds].sort()).toEqual(["add", "and", "max", "min", "or", "xor"]);
  });
});

/** Splits values into parts of a number of bits. Predicates are not split. */
function partsOf(values: readonly bigint[], fields: readonly Field[], size: number): readonly bigint[] {
  const types = fields.flatMap(({ type, items }) => Array.from({ length: Math.max(1, items) }, () => type));
  return values.flatMap((value, index) => {
    const { bits } = TYPES[types[index]!];
    return Array.from({ length: Math.floor(bits / size) * Number(bits > 1) }, (_, part) =>
      BigInt.asUintN(size, value >> BigInt(size * part)),
    );
  });
}

function partsOfRegion(thread: number, size: number): readonly bigint[] {
  const view = new DataView(MEMORY_BYTES.buffer, thread * REGION, REGION);
  const bytes = Array.from({ length: REGION / 8 }, (_, index) => view.getBigUint64(8 * index, true));
  const whole = bytes.reduce((all, part, index) => all | (part << BigInt(64 * index)), 0n);
  return Array.from({ length: (8 * REGION) / size }, (_, part) =>
    BigInt.asUintN(size, whole >> BigInt(size * part)),
  );
}
