// What a subcommand reports to the program that runs it.

/** Returns a text in a colour or style, or unchanged if the terminal shows no colours. */
export type Paint = (text: string) => string;

/** The colours of a terminal; `picocolors` has them. */
export interface CommandColors {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly green: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
}

/** The outcome of a command. Only the form that is asked for is computed. */
export interface CommandOutcome {
  /** Whether the exit code is 0 rather than 1. */
  readonly ok: boolean;
  /** The exit code, if it is another one, such as 130 after Ctrl-C. */
  readonly exitCode?: number;
  /** What `--json` prints. */
  readonly json: () => unknown;
  /** Text for stderr, in addition to the other text. */
  readonly complaints?: (colors: CommandColors) => string;
  /** The address of a page about the first problem, which is shown on a terminal; only if `ok` is false. */
  readonly help?: string | undefined;
  /** What goes to stdout; bytes are the content of a file. */
  readonly text: (colors: CommandColors) => string | Uint8Array;
}

/** How an error that ended a command is reported. */
export interface CommandFailure {
  /** The exit code. */
  readonly code: number;
  /** What `--json` prints. */
  readonly json: object;
  /** Text for stderr. */
  readonly text: (colors: CommandColors) => string;
}
