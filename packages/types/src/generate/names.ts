// What all generated languages need of names: identifiers that do not clash, comments that end where they should, and
// the shape of an instruction in words.
import type { AstInstruction, Requirement, StackInstruction, StackTable } from "../core/table.js";
import { DescriptionError, type DescriptionProblem } from "../error.js";

/**
 * The identifiers of a list's names, in its order.
 * @param path the list's key in the description file, for problems
 * @throws DescriptionError REFERENCE when two names become one identifier, with all such pairs
 */
export function identifiersOf(
  path: string,
  entries: readonly { readonly name: string }[],
  convert: (name: string) => string,
): string[] {
  const seen = new Map<string, number>();
  const problems: DescriptionProblem[] = [];
  const identifiers = entries.map(({ name }, at) => {
    const identifier = convert(name);
    const first = seen.get(identifier);
    if (first === undefined) seen.set(identifier, at);
    else {
      problems.push({
        path: `${path}[${at}]`,
        message: `expected names that give different identifiers, found \`${identifier}\` for \`${name}\` and for ${path}[${first}]`,
      });
    }
    return identifier;
  });
  if (problems.length > 0) throw new DescriptionError("REFERENCE", "the description", problems);
  return identifiers;
}

/** Text that is harmless inside any comment: one line of ASCII that neither ends a comment nor begins one. */
export function commentText(text: string): string {
  return text.replace(/[^ -~]|[*\\?`]/g, "_");
}

/** `F32, F32 -> F32; sm_75, PTX 7.0`: what a Stack PTX instruction takes, leaves and needs. */
export function stackSignature(table: StackTable, { args, results, requires }: StackInstruction): string {
  const names = (list: readonly number[]) => list.map((arg) => table.argTypes[arg]!.name).join(", ");
  return signature(names(args), names(results), requires);
}

/** `3 values -> 1; sm_75`: what an AST PTX instruction takes and needs. */
export function astSignature({ args, requires }: AstInstruction): string {
  return signature(`${args} value${args === 1 ? "" : "s"}`, "1", requires);
}

function signature(takes: string, leaves: string, requires: Requirement | undefined): string {
  return `${takes === "" ? "" : `${takes} `}-> ${leaves}${needs(requires)}`;
}

function needs(requires: Requirement | undefined): string {
  const parts = [requires?.target, requires?.ptx === undefined ? undefined : `PTX ${requires.ptx}`];
  const named = parts.filter((part) => part !== undefined);
  return named.length === 0 ? "" : `; ${named.join(", ")}`;
}
