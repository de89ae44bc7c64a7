// The states of things that consist of parts, each with a state of its own.
import { SearchError } from "./error.js";
import type { PartState, Plain, StateArray } from "./plain.js";

/** The states of parts as one state. Parts without one may be left out as `undefined`. */
export function joinParts(parts: Readonly<Record<string, PartState | undefined>>): PartState {
  const values: Record<string, Plain> = {};
  const arrays: Record<string, StateArray> = {};
  for (const [part, state] of Object.entries(parts)) {
    if (state === undefined) continue;
    values[part] = state.values;
    for (const [name, array] of Object.entries(state.arrays)) arrays[`${part}.${name}`] = array;
  }
  return { values, arrays };
}

/** The state of one part of what `joinParts` returned, if the part had one. */
export function partOf(state: PartState, part: string): PartState | undefined {
  const values = state.values[part];
  if (values === undefined) return undefined;
  if (typeof values !== "object" || values === null || Array.isArray(values))
    throw badState(`an object for part \`${part}\``);
  const prefix = `${part}.`;
  const arrays = Object.entries(state.arrays).filter(([name]) => name.startsWith(prefix));
  return {
    values: values as PartState["values"],
    arrays: Object.fromEntries(arrays.map(([name, array]) => [name.slice(prefix.length), array])),
  };
}

/** A number of a state. @throws SearchError FILE_FORMAT */
export function numberOf(state: PartState, name: string): number {
  const value = state.values[name];
  if (typeof value !== "number" || !Number.isFinite(value)) throw badState(`a number \`${name}\``);
  return value;
}

/** An array of a state, of some length if one is given. @throws SearchError FILE_FORMAT */
export function numbersOf(state: PartState, name: string, length?: number): Float64Array {
  const array = state.arrays[name];
  if (!(array instanceof Float64Array) || (length !== undefined && array.length !== length))
    throw badState(`${length === undefined ? "" : `${length} `}f64 numbers \`${name}\``);
  return array;
}

/** The error for a state that something else wrote. */
export const badState = (expected: string): SearchError =>
  new SearchError("FILE_FORMAT", `expected ${expected} in the state of a search`);
