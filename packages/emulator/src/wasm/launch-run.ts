// One launch of a translated kernel: sets its globals, and answers the callbacks of translated code while it runs.

import type { BuiltInHost } from "../built-ins/index.js";
import { type Loop, loopAround } from "../control/loops.js";
import type { Step } from "../control/step.js";
import type { ProcedureHost } from "../procedures/procedure.js";
import { itemsOf } from "../program/operand.js";
import { type PtxType, TYPES } from "../program/types.js";
import type { Dimensions } from "../run/dimensions.js";
import type { BarrierFault, Fault, FaultPlace } from "../run/fault.js";
import type { LaunchPlan } from "../run/launch.js";
import { ADDRESS_BASE, ADDRESS_UPPER } from "../run/memory.js";
import { TIMER_START } from "../run/time.js";
import { executed } from "../run/traps.js";
import { atOnce, type ResidentHost, Residents } from "../schedule/residents.js";
import type { Access } from "./access.js";
import type { AreaSource, Areas } from "./areas.js";
import { blockGlobals } from "./block-globals.js";
import { type BlockRunner, TranslatedThreads } from "./block-threads.js";
import { observesAccesses } from "./checks/checks.js";
import { LaunchChecker } from "./checks/launch-checker.js";
import { LATEST_EPOCH } from "./checks/layout.js";
import { Stop } from "./fault.js";
import type { GlobalName } from "./frame.js";
import type { KernelInstance, RunningLaunch } from "./instance.js";
import type { Meter } from "./meter.js";
import { placeOf } from "./resolve.js";
import type { Translation } from "./translation.js";

/** The bits of an operand that a procedure gets; addresses have no type. */
const bitsOf = (type: PtxType | undefined): number => (type === undefined ? 64 : TYPES[type].bits);

/** Instructions after which translated code requests more fuel: some milliseconds. */
const FUEL = 2 ** 23;

export class LaunchRun implements RunningLaunch, BlockRunner, ResidentHost<TranslatedThreads> {
  readonly #launch: LaunchPlan;
  readonly #translation: Translation;
  readonly #instance: KernelInstance;
  readonly #residents: Residents<TranslatedThreads>;
  readonly #source: AreaSource;
  readonly #meter: Meter;
  #lastView: DataView | undefined;
  /** Instructions that have been executed, without those of the current fuel. */
  #spent = 0;
  readonly #checker: LaunchChecker;

  constructor(
    launch: LaunchPlan,
    translation: Translation,
    instance: KernelInstance,
    areas: AreaSource,
    meter: Meter,
  ) {
    this.#meter = meter;
    this.#checker = new LaunchChecker(launch, translation, instance, {
      areas: () => this.#areas,
      placeOf: (step, thread) => this.#place(step, thread),
      group: () => instance.globals.group.value as number,
    });
    this.#launch = launch;
    this.#translation = translation;
    this.#instance = instance;
    this.#source = areas;
    instance.globals.clock.value = 0;
    this.#residents = new Residents(this.#threadsIn(areas.take()), this);
  }

  #threadsIn(areas: Areas): TranslatedThreads {
    return new TranslatedThreads(this.#translation, areas, this);
  }

  more(): TranslatedThreads | undefined {
    const areas = this.#source.more();
    return areas && this.#threadsIn(areas);
  }

  get #areas(): Areas {
    return this.#residents.current.areas;
  }

  /**
   * Runs blocks in order of their number.
   * @throws {@link Stop}
   */
  blocks(first: number, count: number): void {
    const { clock } = this.#instance.globals;
    if ((clock.value as number) > LATEST_EPOCH) {
      this.#source.shadow?.clear();
      clock.value = 0;
    }
    this.enter(first, this.#residents.current);
    this.#fuelled(() => this.#instance.runBlocks(count));
  }

  /**
   * Gives a turn to blocks that wait for values that others write.
   * @returns whether all have ended
   * @throws {@link Stop}
   */
  resume(): boolean {
    if (this.#residents.isEmpty) return true;
    let isDone = false;
    const work = () => {
      isDone = atOnce(this.#residents.resume());
    };
    this.#fuelled(work, () => {
      const entry = this.#residents.current.waitingLoop();
      return entry === undefined ? undefined : loopAround(this.#translation.graph, entry);
    });
    return isDone;
  }

  enter(block: number, { areas }: TranslatedThreads): void {
    const { globals } = this.#instance;
    const values = blockGlobals(this.#launch, block, areas, {
      localBytes: areas.threads * this.#translation.localBytes,
      shadow: this.#source.shadow?.table ?? 0,
    });
    for (const [name, value] of Object.entries(values)) globals[name as GlobalName].value = value;
    // Others may have recorded accesses in the meantime, which are no part of the block.
    this.met();
  }

  #fuelled(work: () => void, loop?: () => Loop | undefined): void {
    const { fuel } = this.#instance.globals;
    fuel.value = FUEL;
    try {
      this.#instance.during(this, work);
    } catch (error) {
      throw this.#stackIsFull(error) ?? error;
    } finally {
      this.goesOn();
    }
    this.#spend(FUEL - (fuel.value as number), loop);
  }

  /**
   * Calls may be nested more deeply than this machine's stack allows. The thread is not known, so the first one is
   * named.
   */
  #stackIsFull(error: unknown): Stop | undefined {
    if (!(error instanceof RangeError)) return undefined;
    for (const { steps } of this.#translation.graph.blocks) {
      const call = steps.find(({ source }) => source.call !== undefined);
      if (call !== undefined)
        return this.stop("TRAP", "the calls of a thread are nested too deeply", call, 0);
    }
    return undefined;
  }

  /** @throws {@link Stop} when a limit is reached */
  checkLimits(): void {
    this.#spend(0);
  }

  #spend(instructions: number, loop: () => Loop | undefined = () => undefined): void {
    this.#spent += instructions;
    const kind = this.#meter.spend(instructions, this.block());
    if (kind !== undefined) throw new Stop({ kind, loop: loop() });
  }

  refuel(site: number, left: number): number {
    const { frame, graph } = this.#translation;
    const { loop, entry } = frame.sites[site]!;
    this.#spend(FUEL - left, () => loop ?? (entry === undefined ? undefined : loopAround(graph, entry)));
    return FUEL;
  }

  fault(site: number, thread: number, address: bigint): number {
    const { step, access } = this.#translation.frame.sites[site]!;
    return this.#outside(step!, access!, thread, BigInt.asUintN(64, address));
  }

  /**
   * @returns where the access goes instead, with the check of memory
   * @throws {@link Stop} without it
   */
  #outside(step: Step, { bytes, space, kind: access }: Access, thread: number, address: bigint): number {
    const isGeneric = space === "generic" || space === "global" || space === "const";
    const isMapped = !isGeneric || Number(address >> 32n) === ADDRESS_UPPER;
    const kind = isMapped && address % BigInt(bytes) !== 0n ? "MISALIGNED" : "OUT_OF_BOUNDS";
    const fault: Fault = { kind, address, bytes, space, access, ...this.#place(step, thread) };
    if (!this.#translation.checks.memory) throw new Stop(fault);
    return this.#checker.outside(fault, thread);
  }

  place(step: Step, access: Access, thread: number, address: bigint): number {
    const found = this.#resolve(access, address);
    if (found < 0) return this.#outside(step, access, thread, address);
    if (observesAccesses(this.#translation.checks))
      this.#checker.toObserve({ step, access, thread, place: found });
    return found;
  }

  find(access: Access, address: bigint): number {
    // Where accesses are observed, each thread makes its own.
    return observesAccesses(this.#translation.checks) ? -1 : this.#resolve(access, address);
  }

  #resolve(access: Access, address: bigint): number {
    return placeOf(this.#launch.loaded.memory, this.#areas, access, address);
  }

  block(): number {
    const { ctaidX, ctaidY, ctaidZ, nctaidX, nctaidY } = this.#instance.globals;
    const rows = (ctaidZ.value as number) * (nctaidY.value as number) + (ctaidY.value as number);
    return rows * (nctaidX.value as number) + (ctaidX.value as number);
  }

  observe(): void {
    this.#checker.observe();
  }

  unwritten(site: number, thread: number, place: number): void {
    this.#checker.unwritten(site, thread, place);
  }

  race(place: number, now: number, before: number): void {
    this.#checker.race(place, now, before);
  }

  stored(): void {
    this.#checker.stored();
  }

  shadowPage(page: number): void {
    this.#source.shadow!.add(page);
  }

  met(warp?: number): void {
    this.#checker.met(warp);
  }

  goesOn(): void {
    this.#checker.goesOn();
  }

  startsOver(thread: number): void {
    this.#checker.startsOver(thread);
  }

  trap(site: number, thread: number): never {
    const { step, detail } = this.#translation.frame.sites[site]!;
    throw this.stop("TRAP", detail ?? executed(step!.operation), step!, thread);
  }

  call(site: number, thread: number, frame: number): void {
    const { step } = this.#translation.frame.sites[site]!;
    const host: BuiltInHost = {
      launch: this.#launch,
      place: () => this.#place(step!, thread),
      offset: (address, bytes, kind) => this.place(step!, { kind, space: "generic", bytes }, thread, address),
      trap: (detail) => this.stop("TRAP", detail, step!, thread),
    };
    this.#checker.beforeCall();
    const local = this.#areas.local + thread * this.#translation.localBytes + frame;
    this.#translation.host!.callBuiltIn(step!, host, local);
    this.observe();
  }

  time(left: number): bigint {
    return TIMER_START + BigInt(this.#spent + FUEL - left);
  }

  procedure(site: number, thread: number, given: readonly bigint[]): readonly bigint[] {
    const { step } = this.#translation.frame.sites[site]!;
    const { operands } = step!.source;
    const { results, operandTypes } = step!.operation;
    let next = 0;
    const sources: (bigint | undefined)[] = [];
    for (let i = results; i < operands.length; i++) {
      for (const item of itemsOf(operands[i]!)) {
        const value = given[next++]!;
        sources.push(item.kind === "sink" ? undefined : BigInt.asUintN(bitsOf(operandTypes[i]), value));
      }
    }
    const values = this.perform(step!, thread, sources);
    this.observe();
    return values;
  }

  perform(step: Step, thread: number, sources: readonly (bigint | undefined)[]): readonly bigint[] {
    return this.#translation.host!.procedureOf(step.operation)!(this.#hostOf(step, thread), sources);
  }

  #hostOf(step: Step, thread: number): ProcedureHost {
    const { shared, sharedBytes } = this.#areas;
    return {
      view: this.#view(),
      place: (address, space, bytes, kind) => this.place(step, { kind, space, bytes }, thread, address),
      isShared: (offset) => offset >= shared && offset < shared + sharedBytes,
      trap: (detail) => this.stop("TRAP", detail, step, thread),
    };
  }

  #view(): DataView {
    const buffer = this.buffer();
    if (this.#lastView?.buffer !== buffer) this.#lastView = new DataView(buffer);
    return this.#lastView;
  }

  diverged(): void {
    this.goesOn();
    this.#residents.current.diverged();
    this.#toTheEnd();
  }

  together(wait: number): number {
    if (this.#residents.current.together(wait)) return 1;
    this.#toTheEnd();
    return 0;
  }

  yields(wait: number): void {
    this.#residents.current.yields(wait);
    atOnce(this.#residents.park(this.block()));
  }

  #toTheEnd(): void {
    if (this.#residents.current.goOn() === "waiting") atOnce(this.#residents.park(this.block()));
  }

  segment(number: number, from: number, to: number): number {
    this.#instance.globals.group.value = -1;
    const ends = this.#instance.segments[number]!(from, to);
    this.goesOn();
    return ends;
  }

  warp(wait: number, from: number, to: number): boolean {
    return this.#instance.warps[wait]?.(from, to) === 1;
  }

  variable(index: number): number {
    return ADDRESS_BASE + this.#launch.loaded.addresses[index]!;
  }

  buffer(): ArrayBufferLike {
    return this.#launch.loaded.memory.memory.buffer;
  }

  stop(kind: "TRAP", detail: string, step: Step, thread: number): Stop {
    return new Stop({ kind, detail, ...this.#place(step, thread) });
  }

  wrongSync(detail: string, step: Step, thread: number): Stop {
    return new Stop({ kind: "TRAP", sync: true, detail, ...this.#place(step, thread) });
  }

  atBarrier(kind: BarrierFault["kind"], detail: string, step: Step, thread: number): void {
    this.#checker.atBarrier(kind, detail, step, thread);
  }

  endsBlock(error: unknown): boolean {
    return error instanceof Stop && this.#checker.endsBlock(error.fault);
  }

  get checksSync(): boolean {
    return this.#checker.checksSync;
  }

  deadlock(waiting: readonly { step: Step; thread: number; detail: string }[]): Stop {
    const places = waiting.map(({ step, thread, detail }) => ({ ...this.#place(step, thread), detail }));
    return new Stop({ kind: "DEADLOCK", waiting: places } satisfies Fault);
  }

  #place({ context, index }: Step, thread: number): FaultPlace {
    const { ctaidX, ctaidY, ctaidZ } = this.#instance.globals;
    const [x, y] = this.#launch.block;
    const row = Math.floor(thread / x);
    return {
      block: [ctaidX.value as number, ctaidY.value as number, ctaidZ.value as number] satisfies Dimensions,
      thread: [thread % x, row % y, Math.floor(row / y)],
      function: context.function,
      instruction: index,
    };
  }
}
