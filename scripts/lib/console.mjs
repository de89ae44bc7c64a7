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

/**
 * Announces a step. On a terminal, the line counts seconds while the step runs; otherwise a line is printed
 * at the beginning and at the end.
 *
 * @param {string} title
 * @returns {StepLine}
 */
export function beginStep(title) {
  const began = performance.now();
  const elapsed = () => seconds(performance.now() - began);
  const live = process.stderr.isTTY === true;
  if (!live) say(`set-up: ${title} ...`);
  const draw = () => process.stderr.write(`\r\x1b[Kset-up: ${title} ... ${elapsed()}`);
  if (live) draw();
  const timer = live ? setInterval(draw, 500) : undefined;
  timer?.unref();
  const dropped = () => {
    clearInterval(timer);
    if (live) process.stderr.write("\r\x1b[K");
  };
  const end = (/** @type {string} */ line) => {
    dropped();
    say(line);
  };
  return {
    done: (note) => end(`set-up: ${title}: ${elapsed()}${note === undefined ? "" : ` (${note})`}`),
    failed: () => end(`set-up: ${title}: failed after ${elapsed()}`),
    dropped,
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
