// The page.
import { useEffect, useState } from "preact/hooks";
import { EXAMPLES } from "../model/examples/index.js";
import { isOwn, type Session, type View } from "../session.js";
import { Data } from "./data.js";
import type { Target } from "./editor.js";
import { Boundary } from "./failed.js";
import { Kernel } from "./kernel.js";
import { Program } from "./program.js";
import { Results } from "./results.js";
import { Share } from "./share.js";
import { Words } from "./words.js";

/** Names the kernel that is launched, if the text has it. */
function ownSummary({ compiled, state: { launch } }: View): string {
  const isFound = compiled?.entries.some(({ name }) => name === launch.entry);
  return isFound ? `Your own kernel, \`${launch.entry}\`.` : "Your own kernel.";
}

const OWN_TASK = "Write a program for each of its sites, and choose its data and the shape of its launch.";

export function App({ session }: { session: Session }) {
  const [view, setView] = useState(session.view);
  useEffect(() => session.subscribe(() => setView(session.view)), [session]);
  const [shown, setShown] = useState("rendered");
  const [target, setTarget] = useState<Target>();
  const { example, notice } = view;
  const own = isOwn(view);
  useEffect(() => {
    document.title = `${own ? "Your kernel" : example.title} · mm-ptx playground`;
    setTarget(undefined);
  }, [example, own]);
  return (
    <>
      <header class="top">
        <a class="brand" href="../">
          <img src="./icon.svg" alt="" width={26} height={26} /> mm-ptx
        </a>
        <h1>Playground</h1>
        <nav aria-label="Examples">
          {own && <span aria-current="page">Your kernel</span>}
          {EXAMPLES.map(({ name, title }) => (
            <a
              key={name}
              href={`#${name}`}
              {...(name === example.name && !own && { "aria-current": "page" as const })}
            >
              {title}
            </a>
          ))}
        </nav>
        <Share session={session} />
      </header>
      {notice && (
        <p class="notice" role="alert">
          <Words>{notice}</Words>{" "}
          <button type="button" class="link" onClick={() => session.show({ notice: "" })}>
            Close
          </button>
        </p>
      )}
      <p class="about">
        <Words>{own ? ownSummary(view) : example.summary}</Words>{" "}
        <b>
          <Words>{own ? OWN_TASK : example.task}</Words>
        </b>
      </p>
      <main>
        <Boundary>
          <Program
            session={session}
            view={view}
            onReady={() => {
              performance.mark("editor");
              void session.start();
            }}
          />
          <div class="side">
            <Results
              session={session}
              view={view}
              onLine={(line) => {
                setShown("rendered");
                setTarget({ line });
              }}
            />
            <Data session={session} view={view} />
          </div>
          <Kernel session={session} view={view} shown={shown} onShow={setShown} target={target} />
        </Boundary>
      </main>
    </>
  );
}
