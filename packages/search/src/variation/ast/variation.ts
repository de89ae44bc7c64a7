// Draws and varies programs of an AST space, so that all constraints are satisfied.
import { CodeBuffer } from "@mm-ptx/types/code";
import { Draws } from "../../draws.js";
import { SearchError } from "../../error.js";
import { AstConstants } from "../../spaces/ast-constants.js";
import type { AstConstraints } from "../../spaces/ast-constraints.js";
import { AstWord } from "../../spaces/ast-layout.js";
import type { AstSettings } from "../../spaces/ast-settings.js";
import { unitStarts } from "../../spaces/ast-unit-starts.js";
import type { Genome } from "../../spaces/space.js";
import { Draft } from "./draft.js";
import type { AstMaterial } from "./operator.js";
import { AST_OPERATORS, type AstOperator } from "./operators.js";
import { TreeSampler } from "./sampler.js";
import { replaceNode } from "./structure.js";

/** How often an operator tries to make a program that satisfies the constraints, and how often one is drawn at random. */
const TRIES = 4;
const SAMPLE_TRIES = 16;
/** The same for programs with units, of which fewer are correct, and how many changes a random one has had at most. */
const UNIT_TRIES = 64;
const UNIT_CHANGES = 8;
/** How many programs are drawn in search of the first that satisfies the constraints, and the greatest length of those. */
const FIRST_TRIES = 20_000;
const FIRST_LENGTH = 12;

export class AstVariation {
  readonly operators: readonly AstOperator[];
  readonly #constraints: AstConstraints;
  readonly #material: AstMaterial;
  /** Programs that satisfy all constraints. */
  readonly #starts: readonly Genome[];
  readonly #changed = new CodeBuffer();

  /** @throws SearchError INVALID_ARGUMENT for constraints that no program seems to satisfy */
  constructor({ symbols, constraints, maxLength, hasConstants, constants, weights }: AstSettings) {
    const drawn = new AstConstants(constants.sources);
    this.#constraints = constraints;
    this.#material = {
      symbols,
      constants: drawn,
      sampler: new TreeSampler(symbols, constraints.nesting, weights, drawn, constants.share, maxLength),
      draft: new Draft(AstWord.perInstruction * maxLength),
      places: new Int32Array(maxLength),
      maxLength,
    };
    this.operators = AST_OPERATORS.filter((operator) => hasConstants || operator.constants !== true);
    this.#starts = this.#findStarts();
  }

  sample(draws: Draws, out: CodeBuffer): void {
    const { sampler, draft, maxLength } = this.#material;
    if (this.#constraints.units !== undefined) {
      this.#sampleWithUnits(draws, out);
      return;
    }
    for (let attempt = 0; attempt < SAMPLE_TRIES; attempt++) {
      draft.begin(out);
      const size = 1 + draws.below(maxLength);
      draft.end += AstWord.perInstruction * sampler.writeTree(size, draws, draft.room, draft.start);
      if (this.#append(out)) return;
    }
    this.#copy(this.#starts[0]!, out);
  }

  vary(operator: number, parent: Genome, other: Genome, draws: Draws, out: CodeBuffer): void {
    const { draft } = this.#material;
    const { constants, change } = this.operators[operator]!;
    const keepsTree = constants === true && hasConstant(parent);
    const used = constants === true && !keepsTree ? replaceNode : change;
    const tries = this.#constraints.units === undefined ? TRIES : UNIT_TRIES;
    for (let attempt = 0; attempt < tries; attempt++) {
      draft.begin(out);
      if (!used(this.#material, parent, other, draws)) continue;
      // No constraint depends on the values of constants.
      if (keepsTree) out.append(draft.end);
      if (keepsTree || this.#append(out)) return;
    }
    this.#copy(parent, out);
  }

  /** Makes the draft a program of the buffer if it satisfies the constraints. */
  #append(out: CodeBuffer): boolean {
    const { room, start, end } = this.#material.draft;
    if (this.#constraints.problem(room, start, end) !== undefined) return false;
    out.append(end);
    return true;
  }

  #copy(genome: Genome, out: CodeBuffer): void {
    const { draft } = this.#material;
    draft.begin(out);
    draft.copyAll(genome);
    out.append(draft.end);
  }

  /** Appends one of the starts after a few random changes. */
  #sampleWithUnits(draws: Draws, out: CodeBuffer): void {
    const changed = this.#changed;
    let genome = this.#starts[draws.below(this.#starts.length)]!;
    for (let change = draws.below(UNIT_CHANGES); change > 0; change--) {
      changed.clear();
      const other = this.#starts[draws.below(this.#starts.length)]!;
      this.vary(draws.below(this.operators.length), genome, other, draws, changed);
      genome = { words: changed.words.slice(), start: 0, end: changed.end };
    }
    this.#copy(genome, out);
  }

  #findStarts(): Genome[] {
    const { symbols, sampler, maxLength } = this.#material;
    const { units } = this.#constraints;
    if (units !== undefined) {
      const starts = unitStarts(symbols, this.#constraints, units, maxLength);
      if (starts.length > 0) return starts;
      throw wrong("option `constraints.units`: expected units that a short program can have, found others");
    }
    const draws = new Draws();
    const words = new Uint32Array(AstWord.perInstruction * maxLength);
    for (let attempt = 0; attempt < FIRST_TRIES; attempt++) {
      draws.start(0, 0, attempt);
      const size = 1 + (attempt % Math.min(maxLength, FIRST_LENGTH));
      const end = AstWord.perInstruction * sampler.writeTree(size, draws, words, 0);
      if (this.#constraints.problem(words, 0, end) === undefined) return [{ words, start: 0, end }];
    }
    throw wrong(`expected constraints that programs satisfy, found none among ${FIRST_TRIES} that does`);
  }
}

function hasConstant({ words, start, end }: Genome): boolean {
  for (let at = start; at < end; at += AstWord.perInstruction)
    if (words[at] === AstWord.constant) return true;
  return false;
}

const wrong = (message: string): SearchError => new SearchError("INVALID_ARGUMENT", message);
