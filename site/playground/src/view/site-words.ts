// What completions at a site are made of, once the compilers are loaded.
import { useEffect, useState } from "preact/hooks";
import type { SiteWords } from "../editor/completion.js";
import type { CompiledSite } from "../model/compile.js";

export function useSiteWords(site: CompiledSite | undefined): SiteWords | undefined {
  const [words, setWords] = useState<SiteWords>();
  const injection = site?.injection;
  const stack = site?.stack;
  useEffect(() => {
    if (injection === undefined) return;
    void Promise.all([import("../model/stack-site.js"), import("../model/functions.js")]).then(
      ([{ table }, { FUNCTIONS }]) =>
        setWords({
          table,
          inputs: injection.operands.filter(({ direction }) => direction !== "out").map(({ name }) => name),
          registers: injection.operands,
          routines: stack?.library?.names ?? [],
          stacks: new Set(
            stack?.job.registers.map(({ stackIndex }) => table.stackTypes[stackIndex]?.name ?? ""),
          ),
          functions: FUNCTIONS,
        }),
    );
  }, [injection, stack]);
  return words;
}
