// An editor as a component. CodeMirror is loaded by the first one.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Editor, EditorOptions } from "../editor/create.js";
import type { LineMarks } from "../editor/marks.js";
import type { Problem } from "../model/problem.js";

/** A place to scroll to. A new object with the same line scrolls there again. */
export interface Target {
  /** Counted from 1. */
  readonly line: number;
}

interface EditorProps extends Omit<EditorOptions, "parent"> {
  readonly className: string;
  readonly marks?: readonly LineMarks[];
  readonly problems?: readonly Problem[];
  /** The place to scroll to when it changes. */
  readonly target?: Target | undefined;
  /** Whether the parts that complete words may be loaded before the reader writes. */
  readonly completes?: boolean;
  readonly onReady?: () => void;
}

const loading = () => import("../editor/create.js");

export function CodeEditor({
  className,
  text,
  language,
  marks,
  problems,
  target,
  completes = false,
  onReady,
  ...options
}: EditorProps) {
  const parent = useRef<HTMLDivElement>(null);
  const latest = useRef(options);
  latest.current = options;
  const [editor, setEditor] = useState<Editor>();
  useEffect(() => {
    let created: Editor | undefined;
    let gone = false;
    void loading().then(({ createEditor }) => {
      if (gone || parent.current === null) return;
      parent.current.textContent = "";
      const { words, ...others } = latest.current;
      created = createEditor({
        ...others,
        parent: parent.current,
        text,
        language,
        ...(words && { words: () => latest.current.words?.() }),
        onChange: (changed) => latest.current.onChange?.(changed),
        onLine: (changed) => latest.current.onLine?.(changed),
      });
      setEditor(created);
      onReady?.();
    });
    return () => {
      gone = true;
      created?.destroy();
    };
  }, []);
  // Not an effect after painting: a key that was pressed meanwhile would be lost.
  useLayoutEffect(() => editor?.set(text, language), [editor, text, language]);
  useEffect(() => editor?.name(options.label), [editor, options.label]);
  useEffect(() => {
    if (completes) void editor?.complete();
  }, [editor, completes]);
  useEffect(() => editor?.mark(marks ?? []), [editor, marks, text]);
  useEffect(() => editor?.problems(problems ?? []), [editor, problems, text]);
  useEffect(() => {
    if (target !== undefined) editor?.reveal(target.line);
  }, [editor, target]);
  return (
    <div class={`editor ${className}`} ref={parent}>
      <pre class="loading">{text.slice(0, 2000)}</pre>
    </div>
  );
}
