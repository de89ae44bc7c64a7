// The program of a site: its language, its text with the stacks beside it, and what it became.
import { useMemo, useState } from "preact/hooks";
import { drawStacks, lookOf } from "../editor/stack-boxes.js";
import type { StackPicture } from "../model/stack-pictures.js";
import type { SiteText } from "../model/state.js";
import { type Session, siteOf, type View } from "../session.js";
import { CodeEditor } from "./editor.js";
import { Evolve } from "./evolve.js";
import { Problems } from "./problems.js";
import { LanguageChoice, NAMES, VariantChoice } from "./program-choices.js";
import { useSiteWords } from "./site-words.js";
import { Tabs } from "./tabs.js";

interface ProgramProps {
  readonly session: Session;
  readonly view: View;
  readonly onReady: () => void;
}

const EMPTY: SiteText = { language: "stack", text: "" };

export function Program({ session, view, onReady }: ProgramProps) {
  const { state, site: name, compiled, example } = view;
  const site = siteOf(view);
  const source = state.sites[name] ?? EMPTY;
  const [line, setLine] = useState(1);
  const words = useSiteWords(site);
  const isCurrent = site?.source.text === source.text && site.source.language === source.language;
  const pictures = isCurrent ? site.pictures : NONE;
  const marks = useMemo(() => {
    const lengths = source.text.split("\n").map(({ length }) => length);
    return pictures.map((picture) => markOf(picture, lengths[picture.line - 1] ?? 0));
  }, [pictures]);
  const names = compiled?.sites.map(({ injection }) => injection.name) ?? Object.keys(state.sites);
  const none = compiled !== undefined && names.length === 0;
  return (
    <section class="card program" aria-labelledby="program-title">
      <header>
        <h2 id="program-title">Program</h2>
        {names.length > 1 ? (
          <Tabs
            label="Site"
            panel="program-panel"
            tabs={names.map((one) => ({ id: one, title: one }))}
            selected={name}
            onSelect={(one) => session.show({ site: one })}
          />
        ) : (
          <code>{name}</code>
        )}
        <div class="spring" />
        {!none && <LanguageChoice session={session} name={name} source={source} />}
        {!none && <VariantChoice session={session} view={view} />}
      </header>
      {none && <p class="hint">This kernel has no sites, so it is launched as it is.</p>}
      <div id="program-panel" role="tabpanel" aria-label={`Program of ${name}`} hidden={none}>
        <ul class="operands" aria-label="Operands">
          {site?.injection.operands.map((operand) => (
            <li key={operand.name}>
              <b>{operand.name}</b> <span>{operand.direction}</span> <code>%{operand.register}</code>{" "}
              <span>{operand.registerType}</span>
            </li>
          ))}
        </ul>
        <CodeEditor
          key={`${example.name} ${name}`}
          className="source"
          label={`${NAMES[source.language]} program of the site ${name}`}
          text={source.text}
          language={source.language}
          editable
          words={() => words}
          completes={view.outcome !== undefined}
          marks={marks}
          problems={site?.problems ?? []}
          onChange={(text) => session.setSite(name, { ...source, text })}
          onLine={setLine}
          onReady={onReady}
        />
        <Problems problems={site?.problems ?? []} text={source.text} />
        {source.language === "stack" && (
          <p class="stack-line">{stackWords(pictures.find((picture) => picture.line === line))}</p>
        )}
        <Evolve session={session} view={view} site={site} />
        <Stub view={view} />
      </div>
    </section>
  );
}

const NONE: readonly StackPicture[] = [];

const markOf = (picture: StackPicture, length: number) => ({
  line: picture.line,
  className: picture.skipped ? "skipped" : picture.live === false ? "dead" : "",
  beside: { key: lookOf(picture, length), draw: () => drawStacks(picture, length) },
});

/** The picture of a line in words, for those who can't see it. */
function stackWords(picture: StackPicture | undefined): string {
  if (picture === undefined) return "Move the cursor to an instruction to read its stacks here.";
  const stacks = picture.stacks.map(
    ({ name, values }) => `${name} ${values.map(({ text }) => text).join(" | ")}`,
  );
  const dead = picture.live === false && !picture.skipped ? "; dead: the stub does not contain it" : "";
  const remark = picture.remark && `; ${picture.remark}`;
  return `After line ${picture.line}: ${stacks.join("; ") || "all stacks are empty"}${remark}${dead}`;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

function Stub({ view }: { view: View }) {
  const site = siteOf(view);
  // The stub of a program in PTX is the program itself.
  if (site?.stub === undefined || site.source.language === "ptx") return null;
  const { figures } = site;
  return (
    <details class="stub" open>
      <summary>
        Stub
        {figures && (
          <small>
            {[
              counted(figures.lines, "instruction"),
              `depth ${figures.depth}`,
              counted(figures.registers, "register"),
              ...(figures.dead > 0 ? [`${figures.dead} dead`] : []),
            ].join(", ")}
          </small>
        )}
      </summary>
      <CodeEditor className="small" label="Stub" text={site.stub} language="ptx" editable={false} />
    </details>
  );
}
