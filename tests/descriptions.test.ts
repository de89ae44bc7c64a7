// Our description files: the PTX compiler accepts every entry on every target that `requires` allows, and on
// no older one.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { capabilities } from "../packages/cuda/dist/index.js";
import {
  parseAstDescription,
  parseInjectDescription,
  parseStackDescription,
  type Requirement,
} from "../packages/types/dist/index.js";
import { type EntryStubs, stubsOfAstTable, stubsOfStackTable } from "./support/description-stubs.js";
import { allows, NEWEST_ISAS, NEWEST_VERSION, requirementOf, versionsOf } from "./support/isa.js";
import { type Isa, type Stub, StubKernel } from "./support/stub-kernel.js";
import { ROOT } from "./support/workspace.js";

const FOLDER = join(ROOT, "type_descriptions");
const GOLDEN = join(ROOT, "tests/goldens/description-indices.json");
const HAS_COMPILER = capabilities().backends.some(({ available }) => available);

const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");
const stack = parseStackDescription(read("stack_descriptions.json"));
const ast = parseAstDescription(read("ast_instructions.json"));
const inject = parseInjectDescription(read("inject_types.json"));

const kernel = new StubKernel(stack);
const f32 = stack.stackTypes.findIndex(({ name }) => name === "F32");
const descriptions: [string, EntryStubs[]][] = [
  ["stack_descriptions.json", stubsOfStackTable(stack, kernel)],
  ["ast_instructions.json", stubsOfAstTable(ast, kernel, f32)],
];

/** Entries with a stub that the compiler refuses, with its first message. */
async function refusedEntries(entries: readonly EntryStubs[], isa: Isa): Promise<Map<EntryStubs, string>> {
  const refused = await kernel.refused(
    entries.flatMap(({ stubs }) => stubs),
    isa,
  );
  const says = (stub: Stub): string[] => (refused.has(stub) ? [`${stub.what}: ${refused.get(stub)}`] : []);
  return new Map(
    entries.flatMap((entry): [EntryStubs, string][] => {
      const [first] = entry.stubs.flatMap(says);
      return first === undefined ? [] : [[entry, first]];
    }),
  );
}

/** The first of some targets or versions that accepts each entry; entries that none accepts are missing. */
async function firstToTake(
  entries: readonly EntryStubs[],
  isas: readonly Isa[],
): Promise<Map<EntryStubs, Isa>> {
  const first = new Map<EntryStubs, Isa>();
  for (const isa of isas) {
    const left = entries.filter((entry) => !first.has(entry));
    if (left.length === 0) break;
    const refused = await refusedEntries(left, isa);
    for (const entry of left) if (!refused.has(entry)) first.set(entry, isa);
  }
  return first;
}

describe.skipIf(!HAS_COMPILER).each(descriptions)("every entry of %s", (_, entries) => {
  it("is in each of its stubs", () => {
    const missing = entries.flatMap(({ line, stubs }) =>
      stubs.filter(({ text }) => !text.includes(line)).map(({ what }) => what),
    );
    expect(missing).toEqual([]);
  });

  it.each(["sm_80", "sm_90", "sm_120"])("assembles on %s if `requires` allows it", async (target) => {
    const allowed = entries.filter(({ requires }) => allows(requires, target));
    const refused = await refusedEntries(allowed, { target, version: NEWEST_VERSION });
    expect([...refused.values()]).toEqual([]);
  });

  it("requires the least target and PTX version that accept it", async () => {
    const found = new Map<EntryStubs, Requirement>();
    const targets = await firstToTake(entries, NEWEST_ISAS);
    for (const { target } of NEWEST_ISAS) {
      const own = entries.filter((entry) => targets.get(entry)?.target === target);
      for (const [entry, isa] of await firstToTake(own, versionsOf(target)))
        found.set(entry, requirementOf(isa));
    }
    const wrong = entries.flatMap((entry) => {
      const [written, needed] = [entry.requires ?? {}, found.get(entry) ?? "no assembler takes it"];
      return isDeepStrictEqual(written, needed) ? [] : [{ name: entry.name, written, needed }];
    });
    expect(wrong).toEqual([]);
  });
});

// As `extends` finds them: from another package, by the name of the package.
it.each([
  ["stack", "stack_descriptions.json"],
  ["inject", "inject_types.json"],
  ["ast", "ast_instructions.json"],
])("@mm-ptx/types/descriptions/%s.json is %s", (kind, name) => {
  const { resolve } = createRequire(join(ROOT, "packages/stack/package.json"));
  const shipped = resolve(`@mm-ptx/types/descriptions/${kind}.json`);
  expect(readFileSync(shipped, "utf8")).toBe(read(name));
});

describe("stack_descriptions.json", () => {
  it("is the only stack description of its folder", () => {
    const files = readdirSync(FOLDER).filter((name) => /^stack.*\.json$/.test(name));
    expect(files.filter((name) => !name.endsWith(".schema.json"))).toEqual(["stack_descriptions.json"]);
  });

  // Programs contain indices: released entries keep theirs, and new entries are appended.
  it("keeps the index of every entry", () => {
    const operands = (types: readonly number[]): string =>
      types.map((type) => stack.argTypes[type]!.name).join(" ");
    const entries = {
      stackTypes: stack.stackTypes.map(({ name, literalPrefix }) => `${name} ${literalPrefix}`),
      instructions: stack.instructions.map(
        ({ name, ptx, args, results }) => `${name}: ${ptx} (${operands(args)}) -> (${operands(results)})`,
      ),
      specialRegisters: stack.specialRegisters.map(({ ptx, argType }) => `${ptx} ${operands([argType])}`),
    };
    if (process.env.UPDATE_GOLDENS === "1") {
      mkdirSync(dirname(GOLDEN), { recursive: true });
      writeFileSync(GOLDEN, `${JSON.stringify(entries, null, 1)}\n`);
    }
    expect(existsSync(GOLDEN), "expected the golden; UPDATE_GOLDENS=1 writes it").toBe(true);
    const golden = JSON.parse(readFileSync(GOLDEN, "utf8")) as typeof entries;
    for (const kind of Object.keys(entries) as (keyof typeof entries)[]) {
      expect(entries[kind].slice(0, golden[kind].length), kind).toEqual(golden[kind]);
    }
  });
});

describe("inject_types.json", () => {
  it("has the default types under their names of 0.x, too", () => {
    const names = inject.types.map(({ name }) => name);
    expect(names.slice(7)).toEqual(["f16", "f16X2", "f16x2", "s32", "u32", "f32", "b32"]);
    for (const old of inject.types.slice(7)) {
      const { name: _, ...meaning } = old;
      expect(inject.types.find(({ name }) => name === old.name.toUpperCase())).toMatchObject(meaning);
    }
  });
});
