// Completion in an editor, which is loaded when a reader begins to write.
import {
  autocompletion,
  type CompletionSource,
  completionKeymap,
  startCompletion,
} from "@codemirror/autocomplete";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { completeFormula, completePtx, completeStack, type SiteWords } from "./completion.js";
import type { EditorLanguage } from "./create.js";

const SOURCES: Readonly<Record<EditorLanguage, (site: () => SiteWords | undefined) => CompletionSource>> = {
  stack: completeStack,
  formula: completeFormula,
  ptx: completePtx,
};

export { startCompletion };

/** What an editor of a language needs to complete words. */
export const completing = (language: EditorLanguage, words: () => SiteWords | undefined): Extension => [
  autocompletion({ override: [SOURCES[language](words)], defaultKeymap: false }),
  keymap.of(completionKeymap),
];
