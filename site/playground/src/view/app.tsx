// The page.
import { useEffect, useState } from "preact/hooks";
import { EXAMPLES } from "../model/examples/index.js";
import type { Session } from "../session.js";
import { Data } from "./data.js";
import { Kernel } from "./kernel.js";
import { Program } from "./program.js";
import { Results } from "./results.js";
import { Share } from "./share.js";

export function App({ session }: { session: Session }) {
  const [view, setView] = useState(session.view);
  useEffect(() => session.subscribe(() => setView(session.view)), [session]);
  const [shown, setShown] = useState("rendered");
  const [line, setLine] = useState<number>();
  const { example, notice } = view;
  return (
    <>
      <header class="top">
        <a class="brand" href="../">
          <img src="./icon.svg" alt="" width={26} height={26} /> mm-ptx
        </a>
        <h1>Playground</h1>
        <nav aria-label="Examples">
          {EXAMPLES.map(({ name, title }) => (
            <a
              key={name}
              href={`#${name}`}
              {...(name === example.name && { "aria-current": "page" as const })}
              onClick={(event) => {
                event.preventDefault();
                setLine(undefined);
                void session.open(name);
              }}
            >
              {title}
            </a>
          ))}
        </nav>
        <Share session={session} />
      </header>
      {notice && (
        <p class="notice" role="alert">
          {notice}{" "}
          <button type="button" class="link" onClick={() => session.show({ notice: "" })}>
            Close
          </button>
        </p>
      )}
      <p class="about">
        {example.summary} <b>{example.task}</b>
      </p>
      <main>
        <Program session={session} view={view} onReady={() => void session.start()} />
        <Kernel
          session={session}
          view={view}
          shown={shown}
          onShow={(tab) => {
            setShown(tab);
            setLine(undefined);
          }}
          line={line}
        />
        <div class="side">
          <Results
            session={session}
            view={view}
            onLine={(found) => {
              setShown("rendered");
              setLine(found);
            }}
          />
          <Data session={session} view={view} />
        </div>
      </main>
    </>
  );
}
