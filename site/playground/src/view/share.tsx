// Copies the address of the page with everything in it.
import { useState } from "preact/hooks";
import type { Session } from "../session.js";

export function Share({ session }: { session: Session }) {
  const [said, setSaid] = useState("");
  const share = async () => {
    const link = await session.link();
    try {
      if (link === undefined) throw new Error("there is no link");
      await navigator.clipboard.writeText(link);
      setSaid("Copied");
    } catch {
      setSaid(link === undefined ? "This is too long for a link" : "The link is in the address bar");
    }
    setTimeout(() => setSaid(""), 2500);
  };
  return (
    <div class="share">
      <span role="status" aria-live="polite">
        {said}
      </span>
      <button type="button" class="primary" onClick={() => void share()}>
        Copy link
      </button>
    </div>
  );
}
