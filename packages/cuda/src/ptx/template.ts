// Templates as callers hand them over: checked wholly, once each, before anything is made of them.

import { countLineFeeds, describeValue, type PtxTemplate } from "@mm-ptx/types/core";
import { PtxCompileError } from "../error.js";

const checked = new WeakSet<object>();

/**
 * Checks a template when it is first used and freezes it then: what is made of it is kept with the object, and would not
 * notice a change.
 *
 * @throws PtxCompileError `REFUSED_INPUT`
 */
export function checkTemplate(value: unknown): PtxTemplate {
  if (typeof value !== "object" || value === null) throw refused("", "a template", value);
  const template = value as PtxTemplate;
  if (checked.has(template)) return template;
  const { names, segments, holes, lines } = template;
  const known = new Set<string>();
  checkEach("names", names, "a name that no other injection has", (name) => {
    const before = known.size;
    return typeof name === "string" && known.add(name).size > before;
  });
  checkEach("segments", segments, "a string", (segment) => typeof segment === "string");
  const range = `a whole number from 0 to ${names.length - 1}`;
  checkEach("holes", holes, range, (hole) => isCount(hole) && hole < names.length);
  checkLength("segments", segments, holes.length + 1);
  checkEach("lines", lines, "the lines of its segment", (each, i) => fits(each, segments[i]));
  checkLength("lines", lines, segments.length);
  for (const part of [names, segments, holes, lines, ...lines, template]) Object.freeze(part);
  checked.add(template);
  return template;
}

function checkEach<T>(
  part: string,
  values: readonly T[],
  expected: string,
  isRight: (value: T, i: number) => boolean,
): void {
  if (!Array.isArray(values)) throw refused(part, "an array", values);
  // Finds the gaps of an array, too.
  const wrong = values.findIndex((value, i) => !isRight(value, i));
  if (wrong !== -1) throw refused(`${part}[${wrong}]`, expected, values[wrong]);
}

function checkLength(part: string, values: readonly unknown[], length: number): void {
  if (values.length !== length) throw refused(`${part}.length`, String(length), values.length);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether these are lines that a segment with this text can have. */
function fits(value: unknown, segment: string | undefined): boolean {
  if (typeof value !== "object" || value === null || segment === undefined) return false;
  const { kernelLine, lines, head, tail } = value as Record<string, unknown>;
  return (
    isCount(kernelLine) &&
    kernelLine > 0 &&
    isCount(head) &&
    isCount(tail) &&
    lines === countLineFeeds(segment) &&
    head + tail <= lines
  );
}

function refused(part: string, expected: string, found: unknown): PtxCompileError {
  const place = part === "" ? "template" : `template.${part}`;
  return new PtxCompileError(
    "REFUSED_INPUT",
    `\`${place}\`: expected ${expected}, as @mm-ptx/inject makes it, found ${describeValue(found)}`,
  );
}
