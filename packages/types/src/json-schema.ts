// The JSON Schema of each kind of description file, made from the zod schemas, for editors and other validators. It says
// what a file's shape is; whether names exist and are unique only this package's parsers check.
import * as z from "zod/mini";
import { checkKind } from "./arguments.js";
import { DESCRIPTION_SCHEMAS, type DescriptionKind } from "./description.js";
import { KIND_NAMES } from "./kind.js";

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (draft 2020-12) of a kind of description file, ready for `JSON.stringify`. A file that it takes has no
 * problem of code SCHEMA, and the other way round.
 * @throws DescriptionError INVALID_VALUE when there is no such kind
 */
export function jsonSchema(kind: DescriptionKind): JsonSchema {
  checkKind(kind);
  const { complete, extending } = DESCRIPTION_SCHEMAS[kind];
  const { $schema, required = [], ...rest } = z.toJSONSchema(extending(), { io: "input" });
  const { description, required: alone = [] } = z.toJSONSchema(complete(), { io: "input" });
  const always = required.filter((key) => key !== "extends");
  return {
    $schema,
    title: KIND_NAMES[kind].replace(/^an? /, ""),
    ...rest,
    description,
    required: always,
    // What bases have, a file that extends them may leave out.
    anyOf: [{ required: ["extends"] }, { required: alone.filter((key) => !always.includes(key)) }],
  };
}
