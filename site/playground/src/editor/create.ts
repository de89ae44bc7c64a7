// Creates the editors of the page.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, type StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { type ChangeSpec, Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Problem } from "../model/problem.js";
import type { SiteWords } from "./completion.js";
import { formulaLanguage, ptxLanguage, stackLanguage } from "./languages.js";
import { countGutter, type LineMarks, mark, marks } from "./marks.js";
import { constructStyles } from "./styles.js";

constructStyles();

/** The languages of editors. */
export type EditorLanguage = "stack" | "formula" | "ptx";

const LANGUAGES: Readonly<Record<EditorLanguage, StreamLanguage<unknown>>> = {
  stack: stackLanguage,
  formula: formulaLanguage,
  ptx: ptxLanguage,
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
  /** Changes the label. */
  name(label: string): void;
  /** Loads the parts that complete words, if the editor has words. */
  complete(): Promise<void>;
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
  let { language, label } = options;
  const spoken = new Compartment();
  const parser = new Compartment();
  const completion = new Compartment();
  const gutter = new Compartment();
  let completing: typeof import("./completing.js") | undefined;
  let hasProblems = false;
  let latest: readonly Problem[] = [];
  const named = () => EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" });
  const completions = () => (completing && words ? completing.completing(language, words) : []);
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
        options.editable ? highlightActiveLine() : EditorState.readOnly.of(true),
        marks(),
        parser.of(LANGUAGES[language]),
        // Its keys come before those below.
        completion.of([]),
        gutter.of([]),
        // Tab moves the focus on, as everywhere on a page.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        spoken.of(named()),
        EditorView.domEventHandlers({ focus: () => void complete() }),
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
        view.dispatch({
          effects: [parser.reconfigure(LANGUAGES[language]), completion.reconfigure(completions())],
        });
      }
      if (text === view.state.doc.toString()) return;
      silent = true;
      view.dispatch({ changes: difference(view.state.doc.toString(), text) });
      silent = false;
    },
    name(changed) {
      if (changed === label) return;
      label = changed;
      view.dispatch({ effects: spoken.reconfigure(named()) });
    },
    complete,
    mark: (lines) => mark(view, lines),
    problems: (problems) => void show(problems),
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
  async function complete(): Promise<void> {
    if (words === undefined || completing !== undefined) return;
    const { doc } = view.state;
    completing = await import("./completing.js");
    view.dispatch({ effects: completion.reconfigure(completions()) });
    // What was written meanwhile is completed as well.
    if (view.hasFocus && view.state.doc !== doc) completing.startCompletion(view);
  }

  async function show(problems: readonly Problem[]): Promise<void> {
    latest = problems;
    if (!options.editable || (problems.length === 0 && !hasProblems)) return;
    hasProblems = true;
    const lint = await import("./problems.js");
    if (latest !== problems) return;
    view.dispatch({ effects: gutter.reconfigure(lint.gutter()) }, lint.problemsIn(view, problems));
  }
}
