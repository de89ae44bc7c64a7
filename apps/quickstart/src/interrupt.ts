// Ctrl-C and similar signals: the first one asks the run to stop, and a deadline enforces it.

/** Time for the summary after a signal. What is not finished by then is abandoned. */
const DEADLINE_MS = 900;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Stop = keyof typeof EXIT_CODES;

/** Listens for stop signals until it is disposed. */
export class Interrupt {
  readonly #controller = new AbortController();
  #received: Stop | undefined;
  readonly #listener = (name: NodeJS.Signals): void => this.#stop(name as Stop);

  constructor() {
    for (const name of Object.keys(EXIT_CODES)) process.on(name, this.#listener);
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code that identifies the signal: 128 plus its number. */
  get exitCode(): number | undefined {
    return this.#received === undefined ? undefined : EXIT_CODES[this.#received];
  }

  dispose(): void {
    for (const name of Object.keys(EXIT_CODES)) process.off(name, this.#listener);
  }

  /** Same as `dispose`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /**
   * A terminal signals the whole process group, and a parent may forward the signal as well, so later signals are
   * ignored.
   */
  #stop(name: Stop): void {
    if (this.#received !== undefined) return;
    this.#received = name;
    setTimeout(() => process.exit(EXIT_CODES[name]), DEADLINE_MS).unref();
    this.#controller.abort(new Error(`stopped by ${name}`));
  }
}
