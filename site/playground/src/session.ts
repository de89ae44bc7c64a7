// The state of the page and what follows from it: a change compiles, a compile launches, and the address follows.
import type { Compiled, CompiledSite, Entry } from "./model/compile.js";
import { type Example, exampleOf, exampleState } from "./model/examples/index.js";
import { firstText, startOfSite } from "./model/first-text.js";
import { readFragment, writeFragment } from "./model/fragment.js";
import { kernelText } from "./model/kernels.js";
import { argumentsFor, fits, launchFor } from "./model/parameters.js";
import type { LineCount, RunOutcome, RunResult } from "./model/run.js";
import type { Dimensions, Language, PlaygroundState, SiteText } from "./model/state.js";
import { Runner } from "./worker/runner.js";

/** What the page shows. */
export interface View {
  readonly state: PlaygroundState;
  readonly example: Example;
  /** The marked kernel. */
  readonly kernel: string;
  /** The kernel of the example. */
  readonly original: string;
  readonly compiled: Compiled | undefined;
  readonly outcome: RunOutcome | undefined;
  /** The last launch that ended, which stays visible while a newer one fails. */
  readonly result: RunResult | undefined;
  /** What was launched last, to which `outcome` belongs. */
  readonly launched: Compiled | undefined;
  readonly running: boolean;
  /** Whether what is shown belongs to the state, apart from programs that do not compile. */
  readonly settled: boolean;
  /** The name of the injection whose program is edited. */
  readonly site: string;
  readonly heat: boolean;
  readonly counts: readonly LineCount[];
  /** The traced thread. */
  readonly traced: { readonly block: Dimensions; readonly thread: Dimensions } | undefined;
  readonly traceResult: RunResult | undefined;
  readonly step: number;
  /** A sentence about a link that could not be read. */
  readonly notice: string;
}

/** The page behind its components. */
export class Session {
  #view: View;
  readonly #listeners = new Set<() => void>();
  readonly #runner = new Runner();
  #compiler: typeof import("./model/compile.js") | undefined;
  /** Texts of sites by their names and languages. */
  readonly #drafts = new Map<string, string>();
  #launching: ReturnType<typeof setTimeout> | undefined;
  #writing: ReturnType<typeof setTimeout> | undefined;
  #version = 0;

  private constructor(view: View) {
    this.#view = view;
  }

  /** Opens what a fragment names, or the first example with a notice. */
  static async create(fragment: string): Promise<Session> {
    const { state, notice } = await stateOf(fragment);
    return new Session(await startOf(state, notice));
  }

  get view(): View {
    return this.#view;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Loads the compilers and the emulator, then compiles and launches. */
  async start(): Promise<void> {
    this.#runner.start();
    const sites = Object.values(this.#view.state.sites);
    if (sites.some(({ language }) => language === "formula")) void import("./model/formula-site.js");
    this.#compiler = await import("./model/compile.js");
    await this.#compile();
  }

  /** Changes a part of what is only shown. */
  show(change: Partial<Pick<View, "site" | "step" | "notice">>): void {
    this.#set(change);
  }

  /** Changes the state, and compiles and launches what depends on it. */
  change(change: Partial<PlaygroundState>): void {
    const state = { ...this.#view.state, ...change };
    this.#set({ state });
    if ("sites" in change || "kernel" in change) void this.#compile();
    else if (change.launch ?? change.arguments ?? change.checks) this.#launch();
    this.#write();
  }

  /** Launches another kernel of the module, with arguments that fit its parameters. */
  setEntry(name: string): void {
    const entry = this.#view.compiled?.entries.find((one) => one.name === name);
    if (entry === undefined) return;
    this.change(startOfEntry(entry));
  }

  /** Replaces the program of a site. */
  setSite(name: string, source: SiteText): void {
    this.change({ sites: { ...this.#view.state.sites, [name]: source } });
  }

  /** Goes on in another language: with the last text in it, the stub as PTX, or a program that reads the operands. */
  setLanguage(name: string, language: Language): void {
    const site = this.#view.compiled?.sites.find(({ injection }) => injection.name === name);
    const old = this.#view.state.sites[name];
    if (old !== undefined) this.#drafts.set(`${name} ${old.language}`, old.text);
    const draft = this.#drafts.get(`${name} ${language}`);
    const text = language === "ptx" && site?.stub !== undefined ? site.stub : draft;
    this.setSite(name, {
      language,
      text: text ?? (site ? firstText(site.injection.operands, language) : ""),
    });
  }

  /** Replaces the marked kernel. */
  setKernel(text: string): void {
    this.#set({ kernel: text });
    this.change({ kernel: text === this.#view.original ? undefined : text });
  }

  /** Opens an example or a link. */
  async open(fragment: string): Promise<void> {
    // What is written later must not replace the address that is being opened.
    clearTimeout(this.#writing);
    clearTimeout(this.#launching);
    const version = ++this.#version;
    this.#set({ settled: false });
    const { state, notice } = await stateOf(fragment);
    const view = await startOf(state, notice);
    if (version !== this.#version) return;
    this.#drafts.clear();
    const { heat } = this.#view;
    this.#set({ ...view, heat });
    await this.#compile();
    this.#write();
  }

  /** Turns the counting of instructions on or off. */
  setHeat(heat: boolean): void {
    this.#set({ heat, counts: heat ? this.#view.counts : [] });
    if (heat) this.#launch();
  }

  /** Traces a thread, or stops tracing. */
  trace(traced: View["traced"]): void {
    this.#set({ traced, traceResult: undefined, step: 0 });
    if (traced !== undefined) this.#launch();
  }

  /** Says that something failed that nobody expected, such as a part of the page that could not be loaded. */
  fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#set({ notice: `Something went wrong: ${message}. Reload the page if it does not respond.` });
  }

  stop(): void {
    this.#runner.stop();
  }

  /** Puts everything into the address of the page, and returns it; `undefined` if it is longer than addresses may be. */
  async link(): Promise<string | undefined> {
    const { state } = this.#view;
    const fragment = await writeFragment(state, exampleState);
    const link = `${location.href.split("#")[0]}#${fragment}`;
    if (state !== this.#view.state) return link;
    const fits = link.length <= MOST_ADDRESS;
    if (fits) history.replaceState(null, "", link);
    else if (this.#view.notice === "") this.#set({ notice: TOO_LONG });
    return fits ? link : undefined;
  }

  #set(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }

  async #compile(): Promise<void> {
    if (this.#compiler === undefined) return;
    const version = ++this.#version;
    this.#set({ settled: false });
    const { kernel, state, site } = this.#view;
    const compiled = await this.#compiler.compile(kernel, state.sites);
    if (version !== this.#version) return;
    const fresh = compiled.sites.filter(({ injection }) => state.sites[injection.name] === undefined);
    if (fresh.length > 0) {
      const texts = fresh.map(({ injection: { name, operands } }) => [name, startOfSite(operands)]);
      this.change({ sites: { ...state.sites, ...Object.fromEntries(texts) } });
      return;
    }
    const names = compiled.sites.map(({ injection }) => injection.name);
    this.#adopt(compiled);
    this.#set({ compiled, site: names.includes(site) ? site : (names[0] ?? "") });
    this.#launch();
  }

  /** Gives a pasted kernel arguments that fit its parameters. */
  #adopt({ entries }: Compiled): void {
    const { state } = this.#view;
    const entry = entries.find(({ name }) => name === state.launch.entry) ?? entries[0];
    if (entry === undefined || (entry.name === state.launch.entry && fits(state.arguments, entry.parameters)))
      return;
    this.#set({ state: { ...state, ...startOfEntry(entry) } });
    this.#write();
  }

  #launch(): void {
    clearTimeout(this.#launching);
    this.#set({ settled: false });
    const first = this.#view.outcome === undefined;
    this.#launching = setTimeout(() => void this.#run(), first ? 0 : 150);
  }

  async #run(): Promise<void> {
    const { compiled, state, heat, traced } = this.#view;
    if (compiled?.filled === undefined) {
      this.#set({ settled: true });
      return;
    }
    this.#set({ running: true });
    const outcome = await this.#runner.run({
      kernel: compiled.filled,
      launch: state.launch,
      arguments: state.arguments,
      checks: state.checks,
      counts: heat,
      trace: traced,
    });
    // A newer launch is on its way.
    if (outcome === undefined) return;
    if (this.#view.outcome === undefined) performance.mark("result");
    this.#set({
      running: false,
      settled: true,
      outcome,
      launched: compiled,
      ...(outcome.ok && {
        result: outcome,
        counts: outcome.counts,
        ...(traced && { traceResult: outcome, step: Math.min(this.#view.step, outcome.steps.length - 1) }),
      }),
    });
  }

  #write(): void {
    clearTimeout(this.#writing);
    this.#writing = setTimeout(() => void this.link(), 250);
  }
}

/** The most characters of an address that browsers keep. */
const MOST_ADDRESS = 1_000_000;

const TOO_LONG =
  "The kernel and its data are too long for an address, so a link or a reload does not bring them back.";

/** A launch, arguments and a plot that fit a kernel that nobody has described. */
const startOfEntry = ({ name, parameters, block }: Entry) => ({
  launch: launchFor(name, block),
  arguments: argumentsFor(parameters),
  picture: { kind: "line", x: "", width: 32 } as const,
});

async function stateOf(fragment: string): Promise<{ state: PlaygroundState; notice: string }> {
  try {
    return { state: await readFragment(fragment, exampleState), notice: "" };
  } catch (error) {
    const state = exampleState("");
    if (state === undefined) throw error;
    const { message } = error as Error;
    return { state, notice: `This link can't be opened: ${message}. Here is the first example instead.` };
  }
}

async function startOf(state: PlaygroundState, notice: string): Promise<View> {
  const example = exampleOf(state.example);
  if (example === undefined) throw new Error(`expected an example, found ${state.example}`);
  const original = await kernelText(example.name);
  return {
    state,
    example,
    kernel: state.kernel ?? original,
    original,
    compiled: undefined,
    outcome: undefined,
    result: undefined,
    launched: undefined,
    running: false,
    settled: false,
    site: Object.keys(state.sites)[0] ?? "",
    heat: false,
    counts: [],
    traced: undefined,
    traceResult: undefined,
    step: 0,
    notice,
  };
}

/** The site whose program is edited. */
export const siteOf = ({ compiled, site }: View): CompiledSite | undefined =>
  compiled?.sites.find(({ injection }) => injection.name === site);

/** Whether the kernel is the reader's own, and not that of the example. */
export const isOwn = ({ state }: View): boolean => state.kernel !== undefined;
