// The JSON Schema of each kind of description file, made from the zod schemas, for editors and other validators. A JSON
// Schema covers the shape of a file; only this package's parsers check that names exist and are unique.
import * as z from "zod/mini";
import { checkKind } from "./arguments.js";
import { DESCRIPTION_SCHEMAS, type DescriptionKind } from "./description.js";
import { KIND_NAMES } from "./kind.js";

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (draft 2020-12) of a kind of description file, ready for `JSON.stringify`. A file matches it if and
 * only if this package finds no problem of code SCHEMA in the file, unless it is `strict`.
 * @throws DescriptionError INVALID_ARGUMENT unless it is a kind of description
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
    // A file that extends others may omit what its bases define.
    anyOf: [{ required: ["extends"] }, { required: alone.filter((key) => !always.includes(key)) }],
  };
}
