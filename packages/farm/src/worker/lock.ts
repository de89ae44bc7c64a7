// A lock for many shared holders or one exclusive holder. Whoever waits for exclusive access goes first.

export class Lock {
  #shared = 0;
  #isAlone = false;
  readonly #waiting: { readonly alone: boolean; readonly begin: () => void }[] = [];

  /** Runs something that others may do at the same time. */
  async shared<Result>(run: () => Promise<Result>): Promise<Result> {
    await this.#enter(false);
    try {
      return await run();
    } finally {
      this.#shared--;
      this.#next();
    }
  }

  /** Runs something while nothing else runs. */
  async alone<Result>(run: () => Promise<Result>): Promise<Result> {
    await this.#enter(true);
    try {
      return await run();
    } finally {
      this.#isAlone = false;
      this.#next();
    }
  }

  async #enter(alone: boolean): Promise<void> {
    if (!alone && !this.#isAlone && this.#waiting.length === 0) {
      this.#shared++;
      return;
    }
    await new Promise<void>((begin) => {
      this.#waiting.push({ alone, begin });
      this.#next();
    });
  }

  #next(): void {
    while (!this.#isAlone) {
      const someoneAlone = this.#waiting.findIndex(({ alone }) => alone);
      const at = someoneAlone === -1 ? 0 : someoneAlone;
      const first = this.#waiting[at];
      if (first === undefined || (first.alone && this.#shared > 0)) return;
      this.#waiting.splice(at, 1);
      if (first.alone) this.#isAlone = true;
      else this.#shared++;
      first.begin();
    }
  }
}
