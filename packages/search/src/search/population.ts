// An archive with the emitters that take parents from it: the whole search, or one of its islands.
import type { Additions, Archive } from "../archives/archive.js";
import type { Scores } from "../candidates.js";
import type { CreditOptions } from "../emitters/credit.js";
import type { Emission, Emitter } from "../emitters/emitter.js";
import { Shares } from "../emitters/share.js";
import { joinParts, partOf } from "../parts.js";
import type { PartState } from "../plain.js";
import type { Genome, Space } from "../spaces/space.js";
import type { Batch } from "./batch.js";
import { type RestartOptions, RestartPlan } from "./restarts.js";
import { SeenTable } from "./seen.js";

/** 2^19 places: 4 MiB. */
const SEEN_BITS = 19;

/** The words of a signature. */
const WORDS = 4;

/** What a population needs besides its archive and emitters. */
export interface PopulationSettings {
  readonly space: Space;
  readonly shares: readonly number[];
  readonly learn: CreditOptions | undefined;
  readonly dedupe: boolean;
  readonly restarts: RestartOptions | undefined;
}

export class Population {
  readonly archive: Archive;
  readonly emitters: readonly Emitter[];
  readonly shares: Shares;
  /** How often it began again. */
  get restarts(): number {
    return this.#plan?.restarts ?? 0;
  }
  readonly #space: Space;
  readonly #seen: SeenTable | undefined;
  readonly #plan: RestartPlan | undefined;
  /** The state of emitters and shares at the beginning. */
  readonly #initial: PartState;
  readonly #signature = new Uint32Array(WORDS);
  /** The signatures of a batch. */
  #signatures = new Uint32Array(0);
  readonly #genome: Genome = { words: new Uint32Array(0), start: 0, end: 0 };
  #keep = new Uint8Array(0);
  #evaluations = 0;

  constructor(
    archive: Archive,
    emitters: readonly Emitter[],
    { space, shares, learn, dedupe, restarts }: PopulationSettings,
  ) {
    this.archive = archive;
    this.emitters = emitters;
    this.shares = new Shares(emitters, shares, learn);
    this.#space = space;
    this.#seen = dedupe ? new SeenTable(SEEN_BITS) : undefined;
    this.#plan = restarts && new RestartPlan(restarts);
    this.#initial = structuredClone(this.#emission());
  }

  /** Makes the candidates of a batch. */
  emit(size: number, emission: Emission, batch: Batch): void {
    const { candidates } = batch;
    this.shares.emit(size, emission, candidates, batch.ends);
    batch.made = candidates.count;
    batch.duplicates = this.#seen === undefined ? 0 : this.#removeDuplicates(batch, this.#seen);
  }

  /** Adds the candidates of a batch, and lets the emitters learn. */
  tell({ candidates, serial, ends }: Batch, scores: Scores): Additions {
    const { archive } = this;
    const space = this.#space;
    const additions = archive.add(candidates.genomes, scores, serial);
    this.shares.tell(additions, ends);
    let first = 0;
    for (const [index, end] of ends.entries()) {
      this.emitters[index]!.tell?.({ space, archive, candidates, scores, additions, first, end, serial });
      first = end;
    }
    return additions;
  }

  /** Makes the candidates with this status as if they had never been made: they are no duplicates when they come again. */
  forget({ candidates }: Batch, statuses: Uint8Array, status: number): void {
    if (this.#seen === undefined) return;
    const { offsets, room } = candidates.genomes;
    this.#genome.words = room;
    for (let index = 0; index < candidates.count; index++) {
      if (statuses[index] !== status) continue;
      this.#genome.start = offsets[index]!;
      this.#genome.end = offsets[index + 1]!;
      this.#space.signature(this.#genome, this.#signature);
      this.#seen.remove(this.#signature);
    }
  }

  /** Begins again if nothing has improved for too long. */
  restartIfStuck(evaluated: number): void {
    this.#evaluations += evaluated;
    const { archive } = this;
    if (
      this.#plan?.tell(
        this.#evaluations,
        archive.count === 0 ? Number.NEGATIVE_INFINITY : archive.qdScore,
      ) !== true
    )
      return;
    archive.clear();
    this.#seen?.clear();
    this.#restoreEmission(this.#initial);
  }

  state(): PartState {
    return joinParts({
      own: { values: { evaluations: this.#evaluations }, arrays: {} },
      emission: this.#emission(),
      seen: this.#seen?.state(),
      plan: this.#plan?.state(),
    });
  }

  /** @throws SearchError FILE_FORMAT */
  restore(state: PartState): void {
    const [own, emission, seen, plan] = ["own", "emission", "seen", "plan"].map((name) =>
      partOf(state, name),
    );
    if (emission !== undefined) this.#restoreEmission(emission);
    if (seen !== undefined) this.#seen?.restore(seen);
    if (plan !== undefined) this.#plan?.restore(plan);
    this.#evaluations = Number(own?.values.evaluations ?? 0);
  }

  #emission(): PartState {
    return joinParts({
      shares: this.shares.state(),
      ...Object.fromEntries(this.emitters.map((emitter, index) => [`emitter ${index}`, emitter.state?.()])),
    });
  }

  #restoreEmission(state: PartState): void {
    const shares = partOf(state, "shares");
    if (shares !== undefined) this.shares.restore(shares);
    for (const [index, emitter] of this.emitters.entries()) {
      const kept = partOf(state, `emitter ${index}`);
      if (kept !== undefined) emitter.restore?.(kept);
    }
  }

  /** Removes genomes that were made before. Returns how many. */
  #removeDuplicates(batch: Batch, seen: SeenTable): number {
    const { candidates, ends } = batch;
    const { count, genomes } = candidates;
    if (this.#keep.length < count) this.#keep = new Uint8Array(2 * count);
    if (this.#signatures.length < WORDS * count) this.#signatures = new Uint32Array(2 * WORDS * count);
    const [keep, genome, signature, signatures] = [
      this.#keep,
      this.#genome,
      this.#signature,
      this.#signatures,
    ];
    const { offsets } = genomes;
    genome.words = genomes.room;
    for (let index = 0, to = 0; index < count; index++) {
      genome.start = offsets[index]!;
      genome.end = offsets[index + 1]!;
      this.#space.signature(genome, signature);
      for (let word = 0; word < WORDS; word++) signatures[to++] = signature[word]!;
    }
    let kept = 0;
    let emitter = 0;
    // In a loop of its own: places are all over the table, and the processor waits for the memory of many of them together.
    for (let index = 0; index < count; index++) {
      while (index === ends[emitter]) ends[emitter++] = kept;
      const isNew = !seen.add(signatures, WORDS * index);
      keep[index] = isNew ? 1 : 0;
      if (isNew) kept++;
    }
    while (emitter < ends.length) ends[emitter++] = kept;
    if (kept < count) candidates.retain(keep);
    return count - kept;
  }
}
