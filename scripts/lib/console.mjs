// The output of set-up, which goes to stderr, because stdout belongs to the command that set-up runs for.

/**
 * @typedef {object} StepLine the announcement of a step, which must end in one of these ways
 * @property {(note?: string) => void} done
 * @property {() => void} failed
 * @property {() => void} dropped removes the line
 */

/**
 * Formats milliseconds as seconds.
 *
 * @param {number} milliseconds
 */
export function seconds(milliseconds) {
  return milliseconds < 950 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** When the steps that are running began, by title. */
const running = new Map();
/** @type {NodeJS.Timeout | undefined} */
let timer;

/** Draws the line of a terminal that counts the seconds of each running step. */
function draw() {
  const steps = [...running].map(([title, began]) => `${title} ... ${seconds(performance.now() - began)}`);
  const line = `set-up: ${steps.join(", ")}`.slice(0, (process.stderr.columns || 80) - 1);
  process.stderr.write(`\r\x1b[K${running.size > 0 ? line : ""}`);
}

/**
 * Announces a step. On a terminal, one line counts the seconds of all running steps; otherwise a line is
 * printed at the beginning and at the end of each.
 *
 * @param {string} title
 * @returns {StepLine}
 */
export function beginStep(title) {
  const began = performance.now();
  const live = process.stderr.isTTY === true;
  if (live) {
    running.set(title, began);
    timer ??= setInterval(draw, 500);
    timer.unref();
    draw();
  } else {
    say(`set-up: ${title} ...`);
  }
  const end = (/** @type {string | undefined} */ line) => {
    running.delete(title);
    if (live) process.stderr.write("\r\x1b[K");
    if (line !== undefined) say(line);
    if (running.size > 0) draw();
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const elapsed = () => seconds(performance.now() - began);
  return {
    done: (note) => end(`set-up: ${title}: ${elapsed()}${note === undefined ? "" : ` (${note})`}`),
    failed: () => end(`set-up: ${title}: failed after ${elapsed()}`),
    dropped: () => end(undefined),
  };
}

/**
 * Prints the end of a program's output, indented, as evidence for the sentence that follows.
 *
 * @param {string} output
 * @param {number} [lines]
 */
export function sayTail(output, lines = 25) {
  for (const line of output.trimEnd().split("\n").slice(-lines)) say(`    ${line}`);
}
