// The program of a site: its language, its text with the stacks beside it, and what it became.
import { useMemo, useState } from "preact/hooks";
import { drawStacks } from "../editor/stack-boxes.js";
import { LANGUAGES, type Language } from "../model/state.js";
import { type Session, siteOf, type View } from "../session.js";
import { CodeEditor } from "./editor.js";
import { Evolve } from "./evolve.js";
import { Problems } from "./problems.js";
import { useSiteWords } from "./site-words.js";
import { Tabs } from "./tabs.js";

const NAMES: Readonly<Record<Language, string>> = { stack: "Stack PTX", formula: "Formula", ptx: "PTX" };

export function Program({ session, view, onReady }: { session: Session; view: View; onReady: () => void }) {
  const { state, site: name, compiled, example } = view;
  const site = siteOf(view);
  const source = state.sites[name] ?? { language: "stack" as const, text: "" };
  const [line, setLine] = useState(1);
  const words = useSiteWords(site);
  const pictures = site?.source.text === source.text ? site.pictures : [];
  const marks = useMemo(
    () =>
      pictures.map((picture) => ({
        line: picture.line,
        className: picture.skipped ? "skipped" : picture.live === false ? "dead" : "",
        beside: { key: JSON.stringify(picture), draw: () => drawStacks(picture) },
      })),
    [pictures],
  );
  const names = compiled?.sites.map(({ injection }) => injection.name) ?? Object.keys(state.sites);
  const variants = state.kernel === undefined ? (example.variants[name] ?? []) : [];
  const current = pictures.find((picture) => picture.line === line);
  return (
    <section class="card program" aria-labelledby="program-title">
      <header>
        <h2 id="program-title">Program</h2>
        <Tabs
          label="Site"
          tabs={names.map((one) => ({ id: one, title: one }))}
          selected={name}
          onSelect={(one) => session.show({ site: one })}
        />
        <div class="spring" />
        <select
          aria-label="Language"
          value={source.language}
          onChange={({ currentTarget }) =>
            session.setSite(name, { ...source, language: currentTarget.value as Language })
          }
        >
          {LANGUAGES.map((language) => (
            <option key={language} value={language}>
              {NAMES[language]}
            </option>
          ))}
        </select>
        {variants.length > 0 && (
          <select
            aria-label="Load another program"
            value=""
            onChange={({ currentTarget }) => {
              const variant = [example.state.sites[name], ...variants][Number(currentTarget.value)];
              if (variant) session.setSite(name, { language: variant.language, text: variant.text });
              currentTarget.value = "";
            }}
          >
            <option value="">Load…</option>
            <option value="0">The original</option>
            {variants.map(({ title }, i) => (
              <option key={title} value={i + 1}>
                {title}
              </option>
            ))}
          </select>
        )}
      </header>
      <ul class="operands" aria-label="Operands">
        {site?.injection.operands.map((operand) => (
          <li key={operand.name}>
            <b>{operand.name}</b> <span>{operand.direction}</span> <code>%{operand.register}</code>{" "}
            <span>{operand.registerType}</span>
          </li>
        ))}
      </ul>
      <CodeEditor
        className="source"
        label={`${NAMES[source.language]} program of the site ${name}`}
        text={source.text}
        language={source.language}
        editable
        words={() => words}
        marks={marks}
        problems={site?.problems ?? []}
        onChange={(text) => session.setSite(name, { ...source, text })}
        onLine={setLine}
        onReady={onReady}
      />
      <Problems problems={site?.problems ?? []} text={source.text} />
      {source.language === "stack" && (
        <p class="stack-line" data-testid="stack-line">
          {current === undefined
            ? "Move the cursor to an instruction to read its stacks here."
            : `After line ${current.line}: ${
                current.stacks
                  .map((stack) => `${stack.name} ${stack.values.map(({ text }) => text).join(" | ")}`)
                  .join("; ") || "all stacks are empty"
              }${current.remark && `; ${current.remark}`}${current.live === false ? "; dead, not in the stub" : ""}`}
        </p>
      )}
      <Evolve session={session} view={view} site={site} />
      <Stub view={view} />
    </section>
  );
}

function Stub({ view }: { view: View }) {
  const site = siteOf(view);
  if (site?.stub === undefined) return null;
  const { figures } = site;
  return (
    <details class="stub" open>
      <summary>
        Stub
        {figures && (
          <small>
            {figures.lines} instructions, depth {figures.depth}, {figures.registers} registers
            {figures.dead > 0 ? `, ${figures.dead} dead` : ""}
          </small>
        )}
      </summary>
      <CodeEditor className="small" label="Stub" text={site.stub} language="ptx" editable={false} />
    </details>
  );
}
