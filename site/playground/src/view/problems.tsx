// What is wrong with a text, as sentences with their places.
import type { Problem } from "../model/problem.js";
import { Help } from "./help.js";
import { Words } from "./words.js";

const place = (text: string, { span }: Problem): string => {
  if (span === undefined) return "";
  const before = text.slice(0, span.start).split("\n");
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: `;
};

export function Problems({ problems, text }: { problems: readonly Problem[]; text: string }) {
  return (
    <ul class="problems" role="status" aria-live="polite">
      {problems.slice(0, 8).map((problem) => (
        <li key={`${problem.span?.start} ${problem.message}`} class={problem.severity}>
          {place(text, problem)}
          <Words>{problem.message}</Words> <Help address={problem.help} />
        </li>
      ))}
      {problems.length > 8 && <li class="error">and {problems.length - 8} more</li>}
    </ul>
  );
}
