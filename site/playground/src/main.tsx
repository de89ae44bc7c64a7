// Opens what the address names.
import { render } from "preact";
import "./styles/page.css";
import { Session } from "./session.js";
import { App } from "./view/app.js";

const root = document.getElementById("app");
if (root === null) throw new Error("expected an element `app`");
const session = await Session.open(location.hash);
root.textContent = "";
render(<App session={session} />, root);
addEventListener("hashchange", () => void session.open(location.hash));
