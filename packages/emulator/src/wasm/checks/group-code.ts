// Code that informs the checks about groups of four threads.
import type { Code } from "../binary/code.js";
import type { KernelFacts, ThreadLocals } from "../emit/facts.js";
import { hasChecks } from "./checks.js";

/** Tells the check of races which group is running, and whether its threads run one by one. */
export function tellGroup(
  code: Code,
  { shadow, module }: KernelFacts,
  { thread }: ThreadLocals,
  isAlone: 0 | 1,
): void {
  if (shadow === undefined) return;
  code.get(thread).i32(1).op("i32.shl").i32(isAlone).op("i32.or").setGlobal(module.globals.group);
}

/** Begins to run the threads of a group one by one: what the group has found, they find again. */
export function startOver(code: Code, facts: KernelFacts, locals: ThreadLocals): void {
  const { checks, module } = facts;
  tellGroup(code, facts, locals, 1);
  if (!hasChecks(checks)) return;
  code.getGlobal(module.globals.found).if();
  code.get(locals.thread).call(module.imports.startsOver).end();
}
