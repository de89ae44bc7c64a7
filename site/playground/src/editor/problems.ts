// Underlined mistakes in an editor, which are loaded with the first mistake.
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import type { Extension, TransactionSpec } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Problem } from "../model/problem.js";

/** What an editor needs to show mistakes. */
export const gutter = (): Extension => lintGutter();

/** Replaces the mistakes of an editor. */
export function problemsIn({ state }: EditorView, problems: readonly Problem[]): TransactionSpec {
  const { length } = state.doc;
  const found = problems.map(({ span, message, severity }): Diagnostic => {
    const from = Math.min(span?.start ?? 0, length);
    return { message, severity, from, to: Math.min(Math.max(span?.end ?? from, from), length) };
  });
  return setDiagnostics(state, found);
}
