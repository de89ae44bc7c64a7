// Ctrl-C and its relatives: the first one asks the run to stop, and a deadline sees to it that it does.

/** Time for the summary after a signal; what is not done by then is not awaited. */
const DEADLINE_MS = 900;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Stop = keyof typeof EXIT_CODES;

/** Watches for stop signals from its making to its disposal. */
export class Interrupt {
  readonly #controller = new AbortController();
  #received: Stop | undefined;
  readonly #listener = (name: NodeJS.Signals): void => this.#stop(name as Stop);

  constructor() {
    for (const name of Object.keys(EXIT_CODES)) process.on(name, this.#listener);
  }

  /** Aborts at the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code that says which signal came: 128 and its number. */
  get exitCode(): number | undefined {
    return this.#received === undefined ? undefined : EXIT_CODES[this.#received];
  }

  [Symbol.dispose](): void {
    for (const name of Object.keys(EXIT_CODES)) process.off(name, this.#listener);
  }

  /** A terminal signals the whole process group and a parent may pass it on again, so later ones change nothing. */
  #stop(name: Stop): void {
    if (this.#received !== undefined) return;
    this.#received = name;
    setTimeout(() => process.exit(EXIT_CODES[name]), DEADLINE_MS).unref();
    this.#controller.abort(new Error(`stopped by ${name}`));
  }
}
