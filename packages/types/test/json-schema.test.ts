// The JSON Schemas: the committed files, what editors show of them, and that a second validator accepts the
// files that zod accepts.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smoke } from "../../../tests/support/counts.js";
import { ROOT } from "../../../tests/support/workspace.js";
import { DESCRIPTION_SCHEMAS } from "../src/description.js";
import {
  DescriptionError,
  type DescriptionKind,
  jsonSchema,
  parseAstDescription,
  parseInjectDescription,
  parseStackDescription,
} from "../src/index.js";

const KINDS = Object.keys(DESCRIPTION_SCHEMAS) as DescriptionKind[];
const PARSERS = { ast: parseAstDescription, inject: parseInjectDescription, stack: parseStackDescription };
const CORPUS = join(ROOT, "packages/types/test/corpus");

const filesOf = (kind: DescriptionKind) =>
  readdirSync(join(CORPUS, kind)).map((name) => ({
    name,
    good: name.startsWith("good-"),
    value: JSON.parse(readFileSync(join(CORPUS, kind, name), "utf8")) as unknown,
  }));

const validators = new Map(
  KINDS.map((kind) => [kind, new Ajv2020({ strict: true, strictRequired: false }).compile(jsonSchema(kind))]),
);
const byAjv = (kind: DescriptionKind, value: unknown) => validators.get(kind)!(value) as boolean;

/** Chooses a schema as the parsers do: a file with `extends` may leave out what its bases have. */
function byZod(kind: DescriptionKind, value: unknown): boolean {
  const { complete, extending } = DESCRIPTION_SCHEMAS[kind];
  const isObject = typeof value === "object" && value !== null;
  const schema = isObject && Object.hasOwn(value, "extends") ? extending() : complete();
  return schema.safeParse(value).success;
}

describe.each(KINDS)("the schema of %s descriptions", (kind) => {
  it("is the committed file", () => {
    const path = join(ROOT, `type_descriptions/${kind}.schema.json`);
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(jsonSchema(kind), null, 2)}\n`);
  });

  it("describes itself and every key", () => {
    const schema = jsonSchema(kind);
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: expect.stringContaining("description"),
      description: expect.any(String),
    });
    const silent: string[] = [];
    const visit = (at: unknown, path: string) => {
      if (typeof at !== "object" || at === null) return;
      const { properties, ...others } = at as Record<string, unknown>;
      for (const [key, property] of Object.entries(properties ?? {})) {
        if (!property.description) silent.push(`${path}/${key}`);
        visit(property, `${path}/${key}`);
      }
      for (const [key, other] of Object.entries(others)) visit(other, `${path}/${key}`);
    };
    visit(schema, "");
    expect(silent).toEqual([]);
  });

  it.each(filesOf(kind))("judges $name as zod does", ({ value, good }) => {
    expect({ ajv: byAjv(kind, value), zod: byZod(kind, value) }).toEqual({ ajv: good, zod: good });
  });

  it("accepts our description", () => {
    const name = { stack: "stack_descriptions", inject: "inject_types", ast: "ast_instructions" }[kind];
    const value = JSON.parse(readFileSync(join(ROOT, `type_descriptions/${name}.json`), "utf8"));
    expect(byAjv(kind, value)).toBe(true);
  });

  it("judges damaged files as zod does", () => {
    const good = filesOf(kind).filter((file) => file.good);
    let refused = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...good),
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        (file, steps) => {
          const value = steps.reduce((damaged, step) => step(damaged), structuredClone(file.value));
          const verdict = byZod(kind, value);
          if (!verdict) refused++;
          expect(byAjv(kind, value)).toBe(verdict);
        },
      ),
      { numRuns: smoke(20_000) },
    );
    expect(refused).toBeGreaterThan(smoke(20_000) / 10);
  });

  it("refuses what the parser finds malformed and accepts what it finds well-formed", () => {
    for (const { value, good } of filesOf(kind)) {
      let code: string | undefined;
      try {
        PARSERS[kind](value);
      } catch (error) {
        if (!(error instanceof DescriptionError)) throw error;
        code = error.code;
      }
      expect(code === "SCHEMA" || code === "SYNTAX").toBe(!good);
    }
  });
});

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    1,
    2,
    -1,
    0.5,
    65_535,
    65_536,
    1e300,
    "",
    " ",
    "F32",
    "f32",
    "sm_90",
    "7.8",
    [],
    {},
  ),
  fc.string(),
  fc.integer(),
);
const key = fc.oneof(
  fc.constantFrom(
    "name",
    "extends",
    "args",
    "display",
    "requires",
    "instructions",
    "abi_version",
    "$schema",
    "x",
    "__proto__",
  ),
  fc.string(),
);

/** Changes one place of a file: deletes, replaces, repeats or adds something there. */
const damage: fc.Arbitrary<(value: unknown) => unknown> = fc
  .tuple(fc.nat(), fc.constantFrom("delete", "replace", "repeat", "add"), key, scalar)
  .map(([place, kind, newKey, replacement]) => (value: unknown) => {
    const places: { holder: Record<string, unknown>; key: string }[] = [];
    const visit = (holder: unknown) => {
      if (typeof holder !== "object" || holder === null) return;
      for (const inner of Object.keys(holder)) {
        places.push({ holder: holder as Record<string, unknown>, key: inner });
        visit((holder as Record<string, unknown>)[inner]);
      }
    };
    visit(value);
    if (places.length === 0) return replacement;
    const { holder, key: at } = places[place % places.length]!;
    const put = (name: string, inner: unknown) =>
      Object.defineProperty(holder, name, {
        value: inner,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    const inside = holder[at];
    if (kind === "delete" && Array.isArray(holder)) holder.splice(Number(at), 1);
    else if (kind === "delete") delete holder[at];
    else if (kind === "repeat" && Array.isArray(inside)) inside.push(...inside.slice(0, 70_000));
    else if (kind === "add" && !Array.isArray(holder)) put(newKey, replacement);
    else put(at, replacement);
    return value;
  });
