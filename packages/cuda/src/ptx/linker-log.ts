// The logs of nvJitLink as those of the compiler alone: the linker adds lines of its own, and finds some mistakes before
// or after the compiler does.

import { linesOf } from "./diagnostics.js";

const ENTRY = /^ptxas info\s*: Compiling entry function '(.*)' for '/;
const USED = /^ptxas info\s*: Used \d+ registers/;
const BARRIERS = /used \d+ barriers/;
const LINKED = /^info\s*: /;
const LINKED_KERNEL = /^info\s*: Function properties for '(.*)':/;
const LINKED_STACK = /^info\s*: used \d+ registers, .*?\b(\d+) stack\b/;

/**
 * The compiler's lines. Only the linker knows how much stack a kernel needs together with the functions that it calls, so
 * that is added to the kernel's line.
 */
export function compilerInfo(log: string): string {
  const stacks = new Map<string, string>();
  let linked = "";
  for (const line of linesOf(log)) {
    linked = LINKED_KERNEL.exec(line)?.[1] ?? linked;
    const stack = LINKED_STACK.exec(line)?.[1];
    if (stack !== undefined && stack !== "0") stacks.set(linked, stack);
  }
  let text = "";
  let kernel = "";
  for (const line of linesOf(log)) {
    if (LINKED.test(line)) continue;
    kernel = ENTRY.exec(line)?.[1] ?? kernel;
    const stack = USED.test(line) ? stacks.get(kernel) : undefined;
    const whole =
      stack === undefined
        ? line
        : line.replace(BARRIERS, (barriers) => `${barriers}, ${stack} bytes cumulative stack size`);
    text += `${whole}\n`;
  }
  return text;
}

const ADDED = /^ERROR /;
const NOT_PTX = "does not match type NVJITLINK_INPUT_PTX";
const UNDEFINED = /^error\s*: Undefined reference to ('.*?') in '/;
const OTHER = /^error\s*: /;

/** The compiler's errors. Those of the linker get the words that the compiler has for the same mistakes. */
export function compilerErrors(log: string): string {
  let text = "";
  for (const line of linesOf(log)) {
    const symbol = UNDEFINED.exec(line)?.[1];
    if (symbol !== undefined) text += `ptxas fatal   : Unresolved extern symbol ${symbol}\n`;
    else if (OTHER.test(line)) text += `ptxas ${line}\n`;
    else if (line.includes(NOT_PTX))
      text += `${START} Missing .version directive at start of file 'application ptx input'\n`;
    else if (!ADDED.test(line)) text += `${line}\n`;
  }
  return text === "" ? log : text;
}

const START = "ptxas application ptx input, line 1; fatal   :";
