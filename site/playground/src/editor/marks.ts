// What is drawn in the lines of an editor: classes, boxes beside a line, messages below it, counts in the gutter.
import { type Extension, type Range, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  WidgetType,
} from "@codemirror/view";

/** The marks of a line, counted from 1. */
export interface LineMarks {
  readonly line: number;
  readonly className?: string;
  /** Drawn at the end of the line; not read by screen readers. */
  readonly beside?: { readonly key: string; readonly draw: () => HTMLElement };
  /** Shown below the line. */
  readonly below?: { readonly text: string; readonly className: string } | undefined;
  /** Shown in the gutter. */
  readonly count?: string | undefined;
}

class Beside extends WidgetType {
  constructor(
    readonly key: string,
    readonly draw: () => HTMLElement,
  ) {
    super();
  }
  override eq(other: Beside): boolean {
    return other.key === this.key;
  }
  override toDOM(): HTMLElement {
    const element = this.draw();
    element.setAttribute("aria-hidden", "true");
    return element;
  }
}

class Below extends WidgetType {
  constructor(
    readonly text: string,
    readonly className: string,
  ) {
    super();
  }
  override eq(other: Below): boolean {
    return other.text === this.text && other.className === this.className;
  }
  override toDOM(): HTMLElement {
    const element = document.createElement("div");
    element.className = `note ${this.className}`;
    for (const [i, part] of this.text.split("`").entries()) {
      const isCode = i % 2 === 1;
      const piece = document.createElement(isCode ? "code" : "span");
      piece.textContent = part;
      element.append(piece);
    }
    return element;
  }
}

class Count extends GutterMarker {
  constructor(readonly text: string) {
    super();
  }
  override eq(other: Count): boolean {
    return other.text === this.text;
  }
  override toDOM(): Node {
    return document.createTextNode(this.text);
  }
}

const setMarks = StateEffect.define<readonly LineMarks[]>();

interface Marked {
  readonly decorations: DecorationSet;
  readonly counts: ReadonlyMap<number, Count>;
}

const marked = StateField.define<Marked>({
  create: () => ({ decorations: Decoration.none, counts: new Map() }),
  update(value, transaction) {
    let { decorations, counts } = value;
    if (transaction.docChanged) decorations = decorations.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const { doc } = transaction.state;
      const ranges: Range<Decoration>[] = [];
      counts = new Map(
        effect.value.flatMap(({ line, count }) => (count === undefined ? [] : [[line, new Count(count)]])),
      );
      for (const { line: number, className, beside, below } of effect.value) {
        if (number < 1 || number > doc.lines) continue;
        const line = doc.line(number);
        if (className) ranges.push(Decoration.line({ class: className }).range(line.from));
        if (beside) {
          ranges.push(
            Decoration.widget({ widget: new Beside(beside.key, beside.draw), side: 1 }).range(line.to),
          );
        }
        if (below) {
          const widget = new Below(below.text, below.className);
          ranges.push(Decoration.widget({ widget, block: true, side: 2 }).range(line.to));
        }
      }
      decorations = Decoration.set(ranges, true);
    }
    return decorations === value.decorations && counts === value.counts ? value : { decorations, counts };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

/** What an editor needs to have marks. */
export const marks = (): Extension => marked;

/** A gutter with the counts of lines. */
export const countGutter = (): Extension =>
  gutter({
    class: "cm-counts",
    lineMarker: (view, block) =>
      view.state.field(marked).counts.get(view.state.doc.lineAt(block.from).number) ?? null,
    lineMarkerChange: ({ startState, state }) =>
      startState.field(marked).counts !== state.field(marked).counts,
  });

/** Replaces the marks of an editor. */
export function mark(view: EditorView, lines: readonly LineMarks[]): void {
  view.dispatch({ effects: setMarks.of(lines) });
}
