// Names that are declared twice in one scope.
import type { PtxDeclaration, PtxFunction } from "@mm-ptx/ptx";
import { quoted } from "@mm-ptx/types/internal";
import type { ModuleContext } from "./context.js";

/**
 * Reports every name that a scope declares twice. The functions and variables of a module may be declared before they
 * are defined.
 */
export function reportDuplicates({ module, problems }: ModuleContext, bodies: readonly PtxFunction[]): void {
  const scopes = new Map<number, Set<string>>();
  for (const declaration of module.names.declarations) {
    if (declaration.scope === 0) continue;
    const names = scopes.get(declaration.scope);
    const key = keyOf(declaration);
    if (names === undefined) scopes.set(declaration.scope, new Set([key]));
    else if (names.has(key)) report(declaration);
    else names.add(key);
  }
  const functions = new Set<string>();
  for (const { name, nameSpan } of bodies) {
    if (functions.has(name)) report({ name, span: nameSpan });
    functions.add(name);
  }
  const defined = new Set<string>();
  for (const { name, nameSpan, linkage } of module.globals) {
    if (linkage === "extern") continue;
    if (defined.has(name) || functions.has(name)) report({ name, span: nameSpan });
    defined.add(name);
  }

  function report({ name, span }: Pick<PtxDeclaration, "name" | "span">): void {
    problems.add(
      "DUPLICATE",
      span,
      `expected another name, found ${quoted(name)}, which is already declared`,
    );
  }
}

/** Ranges of registers have a separate namespace. */
function keyOf({ name, count }: PtxDeclaration): string {
  return count === undefined ? name : `${name}<`;
}
