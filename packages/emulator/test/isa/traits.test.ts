// Proves what the rows of the instruction table state about their instructions besides operands and types: the
// interpreter executes instances of every row on values, with other memory, with the carry flag, and twice. The
// translator relies on these statements, and a wrong one would miscompile kernels without any other sign.
import { describe, expect, it } from "vitest";
import { SOAK } from "../../../../tests/support/counts.js";
import type { Traits } from "../../src/program/operation.js";
import { TYPES } from "../../src/program/types.js";
import {
  itemsIn,
  type Left,
  memoryAfter,
  memoryBefore,
  type Order,
  partsOf,
  partsOfRegion,
  prepare,
  resultsOf,
  run,
  threads,
  VALUE_BYTES,
  wordOf,
} from "../support/instance-runs.js";
import { fieldsOf, type Instance, instances, needsObject, OUT, SLOT, VALUES } from "../support/instances.js";

/** All instances in a soak, otherwise the first of each row with its traits, and every tenth that has other types. */
const ALL = instances().filter((instance) => !needsObject(instance));
const INSTANCES = SOAK ? ALL : withEachTrait(ALL);
const BEFORE = memoryBefore(true);
const OTHER_BEFORE = memoryBefore(false);

/** Instances that continue with the next instruction. */
const STRAIGHT = INSTANCES.filter(({ match }) => match.operation.traits.flow === undefined);
const traitsOf = ({ match }: Instance) => match.operation.traits;
const nameOf = ({ match }: Instance) => match.operation.name;

const PLAIN = { isPlain: true, carry: 0 } as const;
const prepared = prepare(STRAIGHT, "once");
const plain = await run(prepared, PLAIN);
const otherMemory = await run(prepared, { isPlain: false, carry: 0 });
const otherCarry = await run(prepared, { isPlain: true, carry: 1 });

function withEachTrait(all: readonly Instance[]): readonly Instance[] {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key) !== undefined;
  let others = 0;
  return all.filter(({ match: { form, operation }, whole }) => {
    const hasOtherTypes = isNew(`${form.text} ${operation.types}`);
    if (isNew(`${form.text} ${whole} ${JSON.stringify(operation.traits)}`)) return true;
    return hasOtherTypes && others++ % 10 === 0;
  });
}

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
