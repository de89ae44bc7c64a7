// Creates the editors of the page.
import { autocompletion, type CompletionSource, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, type StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { type ChangeSpec, Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Problem } from "../model/problem.js";
import { completeFormula, completePtx, completeStack, type SiteWords } from "./completion.js";
import { formulaLanguage, ptxLanguage, stackLanguage } from "./languages.js";
import { countGutter, type LineMarks, mark, marks } from "./marks.js";

/** The languages of editors. */
export type EditorLanguage = "stack" | "formula" | "ptx";

const LANGUAGES: Readonly<
  Record<
    EditorLanguage,
    { language: StreamLanguage<unknown>; complete: (site: () => SiteWords | undefined) => CompletionSource }
  >
> = {
  stack: { language: stackLanguage, complete: completeStack },
  formula: { language: formulaLanguage, complete: completeFormula },
  ptx: { language: ptxLanguage, complete: completePtx },
};

/** How an editor is created. */
export interface EditorOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly text: string;
  readonly language: EditorLanguage;
  readonly editable: boolean;
  /** Whether the gutter has counts. */
  readonly counts?: boolean;
  /** What completions are made of; without it, nothing is completed. */
  readonly words?: () => SiteWords | undefined;
  readonly onChange?: (text: string) => void;
  /** The line of the cursor, counted from 1. */
  readonly onLine?: (line: number) => void;
}

/** An editor of the page. */
export interface Editor {
  /** Replaces the text, which can be undone, and changes the language. */
  set(text: string, language: EditorLanguage): void;
  mark(lines: readonly LineMarks[]): void;
  problems(problems: readonly Problem[]): void;
  /** Scrolls to a line, counted from 1. */
  reveal(line: number): void;
  focus(): void;
  destroy(): void;
}

/** The change from one text to another without what both begin and end with, so that the view stays where it is. */
function difference(old: string, text: string): ChangeSpec {
  const shorter = Math.min(old.length, text.length);
  let from = 0;
  while (from < shorter && old.charCodeAt(from) === text.charCodeAt(from)) from++;
  let end = 0;
  while (
    end < shorter - from &&
    old.charCodeAt(old.length - 1 - end) === text.charCodeAt(text.length - 1 - end)
  ) {
    end++;
  }
  return { from, to: old.length - end, insert: text.slice(from, text.length - end) };
}

export function createEditor(options: EditorOptions): Editor {
  const { words, onChange, onLine } = options;
  let { language } = options;
  const compartment = new Compartment();
  const configure = (): Extension => {
    const { language: parser, complete } = LANGUAGES[language];
    return [parser, words === undefined ? [] : autocompletion({ override: [complete(words)] })];
  };
  let silent = false;
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        options.counts ? countGutter() : [],
        history(),
        drawSelection(),
        bracketMatching(),
        syntaxHighlighting(classHighlighter),
        options.editable ? [highlightActiveLine(), lintGutter()] : EditorState.readOnly.of(true),
        marks(),
        compartment.of(configure()),
        // Tab moves the focus on, as everywhere on a page.
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
        EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
          if (docChanged && !silent) onChange?.(state.doc.toString());
          if (docChanged || selectionSet) onLine?.(state.doc.lineAt(state.selection.main.head).number);
        }),
      ],
    }),
  });
  return {
    set(text, next) {
      if (next !== language) {
        language = next;
        view.dispatch({ effects: compartment.reconfigure(configure()) });
      }
      if (text === view.state.doc.toString()) return;
      silent = true;
      view.dispatch({ changes: difference(view.state.doc.toString(), text) });
      silent = false;
    },
    mark: (lines) => mark(view, lines),
    problems(problems) {
      const { length } = view.state.doc;
      const found = problems.map(({ span, ...problem }): Diagnostic => {
        const from = Math.min(span?.start ?? 0, length);
        return { ...problem, from, to: Math.min(Math.max(span?.end ?? from, from), length) };
      });
      view.dispatch(setDiagnostics(view.state, found));
    },
    reveal(line) {
      const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: "center" }),
      });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
