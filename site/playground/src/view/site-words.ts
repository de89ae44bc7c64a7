// What completions at a site are made of, once the compilers are loaded.
import { useEffect, useState } from "preact/hooks";
import type { SiteWords } from "../editor/completion.js";
import type { CompiledSite } from "../model/compile.js";

export function useSiteWords(site: CompiledSite | undefined): SiteWords | undefined {
  const [words, setWords] = useState<SiteWords>();
  const injection = site?.injection;
  const library = site?.stack?.library;
  useEffect(() => {
    if (injection === undefined) return;
    void Promise.all([import("../model/stack-site.js"), import("../model/functions.js")]).then(
      ([{ table }, { FUNCTIONS }]) =>
        setWords({
          table,
          inputs: injection.operands.filter(({ direction }) => direction !== "out").map(({ name }) => name),
          registers: injection.operands,
          routines: library?.names ?? [],
          functions: FUNCTIONS,
        }),
    );
  }, [injection, library]);
  return words;
}
