// Plain values as JSON, which keeps every number, and where two of them differ.
import { quoted } from "@mm-ptx/types/internal";
import type { Plain } from "../plain.js";

/** The name under which JSON has numbers that it can't express: not finite, or -0. */
const NUMBER = "#number";

/** JSON of plain values, from which `parsePlain` makes the same ones. */
export function plainText(value: unknown, indent?: number): string {
  return JSON.stringify(value, replaceNumber, indent);
}

export function parsePlain(text: string): Plain {
  return JSON.parse(text, restoreNumber);
}

function replaceNumber(_: string, value: unknown): unknown {
  if (typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0))) return value;
  return { [NUMBER]: Object.is(value, -0) ? "-0" : String(value) };
}

function restoreNumber(_: string, value: unknown): unknown {
  const text = (value as { [NUMBER]?: unknown } | null)?.[NUMBER];
  return typeof text === "string" ? Number(text) : value;
}

/** Where two plain values differ. */
export interface Difference {
  /** Such as `description.archive.axes[1].cells`. */
  readonly path: string;
  /** The two values as JSON, or `nothing`. */
  readonly expected: string;
  readonly found: string;
}

/** The first difference of two values; the order of names makes none. */
export function firstDifference(expected: unknown, found: unknown, path: string): Difference | undefined {
  if (Array.isArray(expected) && Array.isArray(found)) {
    for (let index = 0; index < Math.max(expected.length, found.length); index++) {
      const difference = firstDifference(expected[index], found[index], `${path}[${index}]`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (isRecord(expected) && isRecord(found)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      const difference = firstDifference(expected[name], found[name], memberPath(path, name));
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  return Object.is(expected, found) ? undefined : { path, expected: shown(expected), found: shown(found) };
}

/** Whether a value is an object with names, and not a list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const memberPath = (path: string, name: string): string =>
  /^[a-z_$][\w$]*$/i.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;

const shown = (value: unknown): string => (value === undefined ? "nothing" : quoted(plainText(value)));
