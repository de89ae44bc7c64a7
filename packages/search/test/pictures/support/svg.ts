// What every picture satisfies: well-formed XML, finite numbers, and texts within its edges.
import { expect } from "vitest";

const NAME = /^[a-zA-Z][\w-]*$/;
const TAG = /<(\/?)([^\s/>]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;

/** Throws unless it is one element with properly nested elements, quoted attributes and escaped text. */
export function expectWellFormed(xml: string): void {
  const open: string[] = [];
  let at = 0;
  let isDone = false;
  while (at < xml.length) {
    const next = xml.indexOf("<", at);
    const text = xml.slice(at, next === -1 ? undefined : next);
    if (/[>]|&(?!(?:amp|lt|gt|quot|#\d+);)|[\0-\x08\x0b\x0c\x0e-\x1f]/.test(text))
      throw new Error(`expected escaped text, found ${text}`);
    if (open.length === 0 && text.trim() !== "") throw new Error(`expected no text outside, found ${text}`);
    if (next === -1) break;
    TAG.lastIndex = next;
    const found = TAG.exec(xml);
    if (found === null) throw new Error(`expected a tag, found ${xml.slice(next, next + 80)}`);
    const [all, closing, name, attributes, empty] = found;
    if (!NAME.test(name!)) throw new Error(`expected a name, found ${name}`);
    const names = [...attributes!.matchAll(/([\w:-]+)="([^"]*)"/g)];
    if (new Set(names.map(([, each]) => each)).size !== names.length)
      throw new Error(`expected each attribute once, found ${all}`);
    if (names.some(([, , value]) => /&(?!(?:amp|lt|gt|quot|#\d+);)/.test(value!)))
      throw new Error(`expected escaped attributes, found ${all}`);
    if (isDone) throw new Error(`expected one element, found ${all} after it`);
    if (closing === "/") {
      const last = open.pop();
      if (last !== name) throw new Error(`expected </${last}>, found </${name}>`);
    } else if (empty === "") open.push(name!);
    isDone = open.length === 0;
    at = next + all.length;
  }
  if (open.length > 0 || !isDone) throw new Error(`expected the end of <${open.at(-1)}>`);
}

export interface Text {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly anchor: string;
  readonly isUpright: boolean;
  readonly words: string;
}

export function textsOf(svg: string): Text[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)</g)].map(([, tag, words]) => {
    const attribute = (name: string): string | undefined =>
      new RegExp(`\\b${name}="([^"]*)"`).exec(tag!)?.[1];
    return {
      ...{ x: Number(attribute("x")), y: Number(attribute("y")), size: Number(attribute("font-size")) },
      anchor: attribute("text-anchor") ?? "start",
      isUpright: tag!.includes("rotate(-90"),
      words: words!
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&amp;/g, "&"),
    };
  });
}

export const titlesOf = (svg: string): string[] =>
  [...svg.matchAll(/<title>([^<]*)</g)].map(([, title]) => title!);

/** The box of a text, if its letters are as wide as most are. */
function boxOf({ x, y, size, anchor, isUpright, words }: Text): {
  left: number;
  right: number;
  top: number;
  base: number;
} {
  const width = [...words].length * size * 0.5;
  const from = anchor === "end" ? width : anchor === "middle" ? width / 2 : 0;
  if (isUpright) return { left: x - size * 0.7, right: x, top: y + from - width, base: y + from };
  return { left: x - from, right: x - from + width, top: y - size * 0.7, base: y };
}

/** The texts of a picture do not leave it and do not meet; those of badges may be on others. */
export function expectReadable(svg: string): void {
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg)!.map(Number);
  const boxes = textsOf(svg)
    .filter(({ words }) => !/^[A-Z]\d*$/.test(words))
    .map((text) => ({ words: text.words, box: boxOf(text) }));
  const problems: string[] = [];
  for (const [i, { words, box }] of boxes.entries()) {
    if (box.left < 0 || box.right > width! || box.top < 0 || box.base > height!)
      problems.push(`${words} is cut`);
    for (const { words: others, box: other } of boxes.slice(i + 1))
      if (box.left < other.right && other.left < box.right && box.top < other.base && other.top < box.base)
        problems.push(`${words} meets ${others}`);
  }
  expect(problems).toEqual([]);
}

/** All of it, for a picture of any data. */
export function expectPicture(svg: string): void {
  expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" width="')).toBe(true);
  expectWellFormed(svg);
  // Words of the caller are not numbers.
  const numbers = svg.replace(/>[^<]*</g, "><").replace(/aria-label="[^"]*"/, "");
  expect(numbers).not.toMatch(/NaN|Infinity|undefined|null/);
}
