// What the rows of the instruction table state, without running anything: traits.test.ts proves it by running.
import { describe, expect, it } from "vitest";
import { readForm } from "../../src/isa/notation.js";
import { formsOf, instructionRows } from "../../src/isa/table.js";
import type { Traits } from "../../src/program/operation.js";
import { instances } from "../support/instances.js";

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
