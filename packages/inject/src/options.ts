// What every function says of options that it does not have.
import { describeValue, didYouMean, type InjectTypes, quoted } from "@mm-ptx/types/core";
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

/** @throws PtxInjectError INVALID_INPUT when a value is no inject description */
export function checkTypes(types: InjectTypes): InjectTypes {
  if (types?.kind === "inject" && Array.isArray(types.types)) return types;
  throw new PtxInjectError("INVALID_INPUT", `expected an inject description, found ${describeValue(types)}`);
}
