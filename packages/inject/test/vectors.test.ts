// All texts and outputs of mm-ptx 1.1.1, compared for equality.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type AnnotatedPtx, PtxInjectError, parsePtx } from "../src/index.js";

interface Case {
  readonly name: string;
  readonly ptx: string;
  readonly error?: string;
  readonly injects?: readonly {
    readonly name: string;
    readonly sites: number;
    readonly args: readonly {
      readonly name: string;
      readonly register: string;
      readonly mut: "m" | "o" | "i";
      readonly registerType: string;
      readonly dataType: string;
    }[];
  }[];
  readonly stubs?: readonly string[];
  readonly rendered?: string;
}

interface OrderCase {
  readonly id: number;
  readonly ptx: string;
  /** `SUCCESS` or the name of the error. */
  readonly result: string;
}

const DIRECTIONS = { m: "mod", o: "out", i: "in" };
const casesOf = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`./vectors/${name}.json`, import.meta.url), "utf8")).cases;
const cases = casesOf<Case>("inject");
const orderCases = casesOf<OrderCase>("inject-order");

describe("mm-ptx 1.1.1", () => {
  test("the file has its 54 cases", () => expect(cases).toHaveLength(54));

  test.each(cases.map((entry, index) => [`${index} ${entry.name}`, entry] as const))("%s", (_, entry) => {
    if (entry.error !== undefined) {
      expect(codeOf(() => parsePtx(entry.ptx))).toBe(entry.error.replace("PTX_INJECT_ERROR_", ""));
      return;
    }
    const annotated = parsePtx(entry.ptx);
    expect(summary(annotated)).toEqual(
      entry.injects?.map(({ name, sites, args }) => ({
        name,
        sites,
        operands: args.map((arg, index) => ({
          name: arg.name,
          index,
          direction: DIRECTIONS[arg.mut],
          register: arg.register,
          registerType: arg.registerType,
          type: arg.dataType,
        })),
      })),
    );
    const stubs = Object.fromEntries(
      annotated.injections.map(({ name }, i) => [name, entry.stubs?.[i] ?? ""]),
    );
    expect(annotated.render(stubs)).toBe(entry.rendered);
    const bytes = new Uint8Array(entry.rendered?.length ?? 0);
    expect(annotated.renderInto(stubs, bytes)).toBe(bytes.length);
    expect(new TextDecoder().decode(bytes)).toBe(entry.rendered);
  });
});

describe("the first of several mistakes", () => {
  test("the file has its 80 cases", () => expect(orderCases).toHaveLength(80));

  test.each(orderCases)("$id: $result", ({ ptx, result }) => {
    if (result === "SUCCESS") parsePtx(ptx);
    else expect(codeOf(() => parsePtx(ptx))).toBe(result);
  });
});

function summary({ injections }: AnnotatedPtx) {
  return injections.map(({ name, sites, operands }) => ({ name, sites: sites.length, operands }));
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof PtxInjectError && error.span !== undefined) return error.code;
    throw error;
  }
  return "no error";
}
