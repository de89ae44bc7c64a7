// The edge: JSON text or a parsed object in, a checked table out. Everything behind it may trust its input.
import type { z } from "zod";
import type { AstTable, InjectTypes, StackTable } from "./core/table.js";
import { astDescription, injectDescription, stackDescription } from "./description.js";
import { DescriptionError, type DescriptionProblem } from "./error.js";
import { resolveAstTable, resolveInjectTypes, resolveStackTable } from "./resolve.js";

/**
 * Checks a Stack PTX description and resolves its names to indices.
 * @param json the file's text, or what `JSON.parse` made of it
 * @returns a deeply frozen table, in the file's order
 * @throws DescriptionError SYNTAX when it is no JSON, SCHEMA when it has another shape, REFERENCE when names clash,
 * do not exist, or do not fit each other; all problems of one kind at once
 */
export function parseStackDescription(json: unknown): StackTable {
  const what = "the stack description";
  return resolveStackTable(check(stackDescription, readJson(json, what), what), what);
}

/**
 * Checks a PTX Inject description.
 * @param json the file's text, or what `JSON.parse` made of it
 * @returns deeply frozen types, in the file's order
 * @throws DescriptionError as `parseStackDescription`
 */
export function parseInjectDescription(json: unknown): InjectTypes {
  const what = "the inject description";
  return resolveInjectTypes(check(injectDescription, readJson(json, what), what), what);
}

/**
 * Checks an AST PTX description.
 * @param json the file's text, or what `JSON.parse` made of it
 * @returns a deeply frozen table, in the file's order
 * @throws DescriptionError as `parseStackDescription`
 */
export function parseAstDescription(json: unknown): AstTable {
  const what = "the AST description";
  return resolveAstTable(check(astDescription, readJson(json, what), what), what);
}

function readJson(json: unknown, what: string): unknown {
  if (typeof json !== "string") return json;
  try {
    return JSON.parse(json);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new DescriptionError("SYNTAX", what, [{ path: "", message }]);
  }
}

function check<Schema extends z.ZodType>(schema: Schema, json: unknown, what: string): z.infer<Schema> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue): DescriptionProblem => ({ path: pathOf(issue.path), message: issue.message }),
  );
  throw new DescriptionError("SCHEMA", what, problems);
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
