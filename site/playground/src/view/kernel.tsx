// The kernel: rendered, with the stubs lit up, counts and findings in its lines; or marked, to edit or paste.
import { useMemo } from "preact/hooks";
import type { LineMarks } from "../editor/marks.js";
import type { Session, View } from "../session.js";
import { CodeEditor, type Target } from "./editor.js";
import { Problems } from "./problems.js";
import { Steps } from "./steps.js";
import { Tabs } from "./tabs.js";

interface KernelProps {
  readonly session: Session;
  readonly view: View;
  readonly shown: string;
  readonly onShow: (tab: string) => void;
  /** A place that the reader has chosen. */
  readonly target: Target | undefined;
}

export function Kernel({ session, view, shown, onShow, target }: KernelProps) {
  const { compiled, kernel, heat, state, traceResult, step } = view;
  const marks = useMemo(
    () => marksOf(view),
    [compiled, view.outcome, view.counts, heat, traceResult, step, shown],
  );
  const text = compiled?.rendered ?? kernel;
  const traced = shown === "steps" ? traceResult?.steps[step]?.line : undefined;
  const first = compiled?.lit[0]?.line;
  const place = useMemo(() => {
    const line = traced ?? target?.line ?? first;
    return line === undefined ? undefined : { line };
  }, [traced, target, first, view.example]);
  const findings = countOf(view);
  return (
    <section class="card kernel" aria-labelledby="kernel-title">
      <header>
        <h2 id="kernel-title">Kernel</h2>
        <Tabs
          label="Form of the kernel"
          panel="kernel-panel"
          tabs={[
            { id: "rendered", title: "Rendered", ...(findings > 0 && { badge: `${findings}` }) },
            { id: "marked", title: "Marked" },
            { id: "steps", title: "Step" },
          ]}
          selected={shown}
          onSelect={(tab) => {
            onShow(tab);
            session.trace(tab === "steps" ? { block: [0, 0, 0], thread: [0, 0, 0] } : undefined);
          }}
        />
        <div class="spring" />
        <label class="check">
          <input
            type="checkbox"
            checked={heat}
            onChange={({ currentTarget }) => session.setHeat(currentTarget.checked)}
          />{" "}
          Heat map
        </label>
      </header>
      <div id="kernel-panel" role="tabpanel" aria-label="Kernel">
        {shown === "marked" ? (
          <>
            <p class="hint">
              Paste the PTX of your own kernel here: sites are what <code>PTX_INJECT</code> of{" "}
              <code>ptx_inject.h</code> leaves in it.
              {state.kernel !== undefined && (
                <button type="button" class="link" onClick={() => void session.open(state.example)}>
                  Back to the example
                </button>
              )}
            </p>
            <CodeEditor
              key="marked"
              className="tall"
              label="Marked kernel, PTX"
              text={kernel}
              language="ptx"
              editable
              problems={compiled?.problems ?? []}
              onChange={(changed) => session.setKernel(changed)}
            />
            <Problems problems={compiled?.problems ?? []} text={kernel} />
          </>
        ) : (
          <>
            {shown === "steps" && <Steps session={session} view={view} />}
            <CodeEditor
              key="rendered"
              className="tall"
              label="Rendered kernel, PTX"
              text={text}
              language="ptx"
              editable={false}
              counts
              marks={marks}
              target={place}
            />
            {compiled?.rendered === undefined && compiled !== undefined && (
              <p class="hint">A program does not compile, so this is the kernel with its sites.</p>
            )}
          </>
        )}
      </div>
    </section>
  );
}

const countOf = ({ outcome }: View) =>
  outcome?.ok ? outcome.findings.length : (outcome?.problems.length ?? 0);

function marksOf({ compiled, launched, heat, traceResult, step, ...view }: View): LineMarks[] {
  if (compiled?.rendered === undefined) return [];
  // Lines of an earlier text mean nothing in this one.
  const outcome = launched === compiled ? view.outcome : undefined;
  const counts = launched === compiled ? view.counts : [];
  const byLine = new Map<number, { classes: string[]; below?: LineMarks["below"]; count?: string }>();
  const at = (line: number) => {
    const known = byLine.get(line) ?? { classes: [] };
    byLine.set(line, known);
    return known;
  };
  for (const { line } of compiled.lit) at(line).classes.push("lit");
  if (heat) {
    const most = counts.reduce((high, { count }) => Math.max(high, count), 1);
    for (const { line, count } of counts) {
      const tone = count === 0 ? 0 : Math.ceil((6 * Math.log(count + 1)) / Math.log(most + 1));
      at(line).classes.push(`heat${tone}`);
      at(line).count = count.toLocaleString("en");
    }
  }
  const problems = outcome?.ok
    ? outcome.findings.map(({ kind, message, severity, place, other }) => ({
        text: `${kind}: ${message}`,
        severity,
        line: place?.line,
        other: other?.line,
      }))
    : (outcome?.problems ?? []).map(({ message, line }) => ({
        text: message,
        severity: "error",
        line,
        other: undefined,
      }));
  for (const { text, severity, line, other } of problems) {
    if (other !== undefined) at(other).classes.push("other-place");
    if (line === undefined) continue;
    at(line).classes.push("place");
    at(line).below = { text, className: severity };
  }
  const traced = traceResult?.steps[step];
  if (traced !== undefined) at(traced.line).classes.push("step");
  return [...byLine].map(([line, { classes, below, count }]) => ({
    line,
    className: classes.join(" "),
    below,
    count,
  }));
}
