// Opens what the address names.
import { render } from "preact";
import "./styles/page.css";
import { Session } from "./session.js";
import { App } from "./view/app.js";
import { Failed } from "./view/failed.js";

// The editor is the largest part that a reader waits for, so the compilers and the emulator follow it.
void import("./editor/create.js").then(() => {
  const { content = "" } = document.querySelector<HTMLMetaElement>('meta[name="later"]') ?? {};
  for (const href of content.split(" ")) {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "modulepreload", href }));
  }
});
const root = document.getElementById("app");
if (root === null) throw new Error("expected an element `app`");
try {
  const session = await Session.create(location.hash);
  root.textContent = "";
  render(<App session={session} />, root);
  // The page may have written its own address since.
  addEventListener("hashchange", ({ newURL }) => void session.open(new URL(newURL).hash));
  addEventListener("unhandledrejection", ({ reason }) => session.fail(reason));
  addEventListener("error", ({ error }) => {
    // Browsers also report here that an observed element changed its size twice, without an error.
    if (error instanceof Error) session.fail(error);
  });
} catch (error) {
  render(<Failed error={error} />, root);
}
