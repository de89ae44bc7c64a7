// What every function says of options that it does not have.
import { describeValue, didYouMean, type InjectType, type InjectTypes, quoted } from "@mm-ptx/types/core";
import { PtxInjectError } from "./error.js";

/**
 * @param whose the function, as messages call it
 * @throws PtxInjectError INVALID_INPUT when options are no object, or have one that is not known
 */
export function checkOptionNames(whose: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null)
    throw new PtxInjectError(
      "INVALID_INPUT",
      `expected options of ${whose}, found ${describeValue(options)}`,
    );
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const message = `expected options of ${whose} (${known.map(quoted).join(", ")}), found ${quoted(unknown)}${didYouMean(unknown, known)}`;
  throw new PtxInjectError("INVALID_INPUT", message);
}

/** What every type says of itself. */
const TYPE_FIELDS = [
  "name",
  "registerType",
  "movPostfix",
  "registerChar",
  "registerCast",
] as const satisfies readonly (keyof InjectType)[];

/** @throws PtxInjectError INVALID_INPUT when a value is no inject description */
export function checkTypes(types: InjectTypes): InjectTypes {
  if (types?.kind !== "inject" || !Array.isArray(types.types))
    throw new PtxInjectError(
      "INVALID_INPUT",
      `expected an inject description, found ${describeValue(types)}`,
    );
  types.types.forEach(checkType);
  return types;
}

function checkType(type: InjectType, index: number): void {
  if (typeof type !== "object" || type === null)
    throw new PtxInjectError(
      "INVALID_INPUT",
      `expected a type of a description, found ${describeValue(type)} (type ${index})`,
    );
  const missing = TYPE_FIELDS.find((field) => typeof type[field] !== "string");
  if (missing === undefined) return;
  throw new PtxInjectError(
    "INVALID_INPUT",
    `expected \`${missing}\` of a type as text, found ${describeValue(type[missing])} (type ${index})`,
  );
}
