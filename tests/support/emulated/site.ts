// The effect of a stub on the values at its site, computed line by line.

import type { Injection } from "../../../packages/inject/dist/index.js";
import { wordOperation } from "./words.js";

/** Values by operand name, as bits; all operands of the injection are returned. */
export type Site = (values: Readonly<Record<string, number>>) => Readonly<Record<string, number>>;

interface Line {
  readonly compute: (...words: number[]) => number;
  readonly target: string;
  readonly sources: readonly (string | number)[];
}

/** A function that computes what a stub does. @throws Error for an instruction that `words.ts` lacks */
export function siteOf(injection: Injection, stub: string): Site {
  const lines = stub.split("\n").flatMap(lineOf);
  return (values) => {
    const registers = new Map(
      injection.operands.map(({ name, register }) => [register, values[name] ?? Number.NaN]),
    );
    for (const { compute, target, sources } of lines) {
      const words = sources.map((source) => (typeof source === "number" ? source : registers.get(source)!));
      registers.set(target, compute(...words));
    }
    return Object.fromEntries(
      injection.operands.map(({ name, register }) => [name, registers.get(register)!]),
    );
  };
}

function lineOf(text: string): Line[] {
  const line = text.trim();
  if (line === "" || line === "{" || line === "}" || line.startsWith(".reg ")) return [];
  const [, ptx = "", operands = ""] = /^(\S+) (.*);$/.exec(line) ?? [];
  const compute = wordOperation(ptx);
  if (compute === undefined) throw new Error(`expected an instruction on words, found ${line}`);
  const [target, ...sources] = operands.split(", ");
  return [{ compute, target: target!.slice(1), sources: sources.map(sourceOf) }];
}

function sourceOf(text: string): string | number {
  if (text.startsWith("%")) return text.slice(1);
  const [, digits] = /^0[xf]([0-9a-f]{8})U?$/i.exec(text) ?? [];
  if (digits !== undefined) return Number.parseInt(digits, 16);
  if (text === "0") return 0;
  throw new Error(`expected a register or a constant, found ${text}`);
}
