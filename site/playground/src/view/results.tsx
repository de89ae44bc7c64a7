// The results of the last launch: what happened in a sentence, findings, a picture and a table.
import { useState } from "preact/hooks";
import type { RunOutcome, RunResult } from "../model/run.js";
import { PICTURES, type Picture, type PictureKind } from "../model/state.js";
import type { Session, View } from "../session.js";
import { Help } from "./help.js";
import { Image } from "./image.js";
import { integers, NumberField } from "./number-field.js";
import { Plot } from "./plot.js";
import { Table } from "./table.js";
import { Tabs } from "./tabs.js";
import { Words } from "./words.js";

const KINDS: Readonly<Record<PictureKind, string>> = {
  line: "Lines",
  histogram: "Histogram",
  picture: "Picture",
};

export function Results({
  session,
  view,
  onLine,
}: {
  session: Session;
  view: View;
  onLine: (line: number) => void;
}) {
  const { state, outcome, result, running } = view;
  const [shown, setShown] = useState("picture");
  const { picture } = state;
  const isStale =
    outcome?.ok === false || (view.compiled !== undefined && view.compiled.filled === undefined);
  const previous = isStale && result !== undefined;
  return (
    <section class="card results" aria-labelledby="results-title">
      <header>
        <h2 id="results-title">Result</h2>
        <Tabs
          label="Form of the result"
          panel="result-panel"
          tabs={[
            { id: "picture", title: "Plot" },
            { id: "table", title: "Table" },
          ]}
          selected={shown}
          onSelect={setShown}
        />
        <div class="spring" />
        {running && (
          <button type="button" class="stop" onClick={() => session.stop()}>
            Stop
          </button>
        )}
        <PictureChoice session={session} picture={picture} names={bufferNames(view)} />
      </header>
      <p class="outcome" role="status" aria-live="polite" data-testid="outcome" data-state={stateOf(view)}>
        {sentenceOf(view)}
      </p>
      {outcome !== undefined && <Findings outcome={outcome} onLine={onLine} />}
      {outcome?.ok && outcome.notes.length > 0 && (
        <ul class="notes" aria-label="Notes on the data">
          {outcome.notes.map((note) => (
            <li key={note}>
              <Words>{note}</Words>
            </li>
          ))}
        </ul>
      )}
      {previous && <p class="previous">Below is the previous result.</p>}
      <div id="result-panel" role="tabpanel" aria-label="Result" class={previous ? "stale" : ""}>
        {result !== undefined &&
          (shown === "table" ? (
            <Table buffers={result.buffers} />
          ) : (
            <Drawn picture={picture} result={result} />
          ))}
      </div>
      {outcome?.ok && outcome.printed && (
        <details open>
          <summary>Printed</summary>
          <pre class="printed">{outcome.printed}</pre>
        </details>
      )}
    </section>
  );
}

const stateOf = ({ settled, compiled, outcome }: View) =>
  !settled ? "waiting" : compiled?.filled !== undefined && outcome?.ok ? "done" : "failed";

const bufferNames = ({ state }: View) =>
  state.arguments.flatMap((argument) => (argument.kind === "buffer" ? [argument.name] : []));

function sentenceOf({ state, compiled, outcome }: View): string {
  if (compiled !== undefined && compiled.filled === undefined) {
    return outcome === undefined
      ? "The kernel runs once its programs compile."
      : "Not launched, because of mistakes.";
  }
  if (outcome === undefined) return "The kernel has not run yet.";
  if (!outcome.ok) return `The launch failed (${outcome.code}).`;
  const threads = [...state.launch.grid, ...state.launch.block].reduce(
    (product, count) => product * count,
    1,
  );
  const engine = outcome.engine === "webassembly" ? "WebAssembly" : "the interpreter";
  const found = outcome.findings.length;
  const checks = found === 0 ? "" : ` The checks found ${found === 1 ? "one problem" : `${found} problems`}.`;
  return `${threads.toLocaleString("en")} threads ran in ${Math.max(1, Math.round(outcome.milliseconds))} ms, in ${engine}.${checks}`;
}

function Drawn({ picture, result }: { picture: Picture; result: RunResult }) {
  const [first] = result.buffers;
  if (first === undefined) return <p class="hint">No buffer is shown. Choose one among the data.</p>;
  if (picture.kind === "picture") return <Image buffer={first} width={picture.width} />;
  return <Plot picture={picture} result={result} />;
}

function PictureChoice({
  session,
  picture,
  names,
}: {
  session: Session;
  picture: Picture;
  names: readonly string[];
}) {
  const change = (part: Partial<Picture>) => session.change({ picture: { ...picture, ...part } });
  return (
    <div class="choice">
      <select
        aria-label="Kind of plot"
        value={picture.kind}
        onChange={({ currentTarget }) => change({ kind: currentTarget.value as PictureKind })}
      >
        {PICTURES.map((kind) => (
          <option key={kind} value={kind}>
            {KINDS[kind]}
          </option>
        ))}
      </select>
      {picture.kind === "line" && (
        <select
          aria-label="Horizontal axis"
          value={picture.x}
          onChange={({ currentTarget }) => change({ x: currentTarget.value })}
        >
          <option value="">over the index</option>
          {names.map((name) => (
            <option key={name} value={name}>
              over {name}
            </option>
          ))}
        </select>
      )}
      {picture.kind === "picture" && (
        <span>
          width{" "}
          <NumberField
            label="Width of the picture"
            value={picture.width}
            range={integers(1, 65_536)}
            onChange={(width) => change({ width })}
          />
        </span>
      )}
    </div>
  );
}

function Findings({ outcome, onLine }: { outcome: RunOutcome; onLine: (line: number) => void }) {
  const items = outcome.ok
    ? outcome.findings.map(({ kind, message, severity, place, occurrences, help }) => ({
        key: `${kind} ${place?.line}`,
        title: `${kind}${occurrences > 1 ? `, ${occurrences.toLocaleString("en")} times` : ""}`,
        message,
        severity,
        line: place?.line,
        help,
      }))
    : outcome.problems.map(({ message, line, help }) => ({
        key: message,
        title: outcome.code,
        message,
        severity: "error",
        line,
        help,
      }));
  if (items.length === 0) return null;
  return (
    <ul class="findings" aria-label="Findings">
      {items.slice(0, 12).map(({ key, title, message, severity, line, help }) => (
        <li key={key} class={severity}>
          <b>{title}</b>{" "}
          {line !== undefined && (
            <button type="button" class="link" onClick={() => onLine(line)}>
              line {line}
            </button>
          )}
          <p>
            <Words>{message}</Words> <Help address={help} />
          </p>
        </li>
      ))}
    </ul>
  );
}
