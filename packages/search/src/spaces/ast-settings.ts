// What the options of an AST space mean.
import type { AstTable } from "@mm-ptx/types/core";
import { quoted } from "@mm-ptx/types/internal";
import { SearchError } from "../error.js";
import { invalid } from "../options.js";
import type { Plain } from "../plain.js";
import { type ConstantsOptions, readConstants } from "./ast-constants.js";
import { AstConstraints } from "./ast-constraints.js";
import { AstOperators } from "./ast-operators.js";
import { type AstSpaceOptions, readAstOptions } from "./ast-options.js";
import { AstSymbols } from "./ast-symbols.js";

const DEFAULT_LENGTH = 30;
const WITHOUT_CONSTANTS = { share: 0 };

/** Checked options, with defaults. */
export interface AstSettings {
  readonly symbols: AstSymbols;
  readonly constraints: AstConstraints;
  readonly maxLength: number;
  /** Whether programs have constants. */
  readonly hasConstants: boolean;
  readonly constants: Required<ConstantsOptions>;
  /** How often each symbol is drawn, relative to the others. */
  readonly weights: Float64Array;
  /** What determines the space. */
  readonly description: { readonly [name: string]: Plain };
}

/** @throws SearchError INVALID_ARGUMENT */
export function astSettings(table: AstTable, options: AstSpaceOptions): AstSettings {
  if (table?.kind !== "ast") throw invalid("an AST PTX table", table);
  const read = readAstOptions(options);
  const { functions = {}, maxLength = DEFAULT_LENGTH, weights = {}, constraints = {} } = read;
  const inputs = Object.freeze([...read.inputs]);
  const hasConstants = read.constants !== false;
  const constants = readConstants(hasConstants ? read.constants : WITHOUT_CONSTANTS);
  const operators = new AstOperators(table, functions);
  const all = operators.names.filter((_, number) => operators.operations[number] !== 0);
  const allowed = [...new Set((read.operators ?? all).map((name) => operators.number(name)))];
  const unknown = allowed.find((number) => operators.operations[number] === 0);
  if (unknown !== undefined) {
    const found = quoted(operators.names[unknown]!);
    throw new SearchError("INVALID_ARGUMENT", `expected operators that columns compute, found ${found}`);
  }
  const symbols = new AstSymbols(operators, inputs, allowed, hasConstants);
  const frequencies = new Float64Array(symbols.count).fill(1);
  for (const [name, weight] of Object.entries(weights))
    frequencies[symbols.numberOfName(name, "weights")] = weight;
  return {
    symbols,
    constraints: new AstConstraints(symbols, constraints, maxLength),
    maxLength,
    hasConstants,
    constants,
    weights: frequencies,
    description: {
      table: table.fingerprint,
      inputs,
      operators: allowed.map((number) => operators.names[number]!),
      functions: Object.fromEntries(operators.functions.map(({ name, text }) => [name, text])),
      maxLength,
      constants: hasConstants ? { share: constants.share, sources: constants.sources.map(plain) } : false,
      weights,
      constraints: plain(constraints),
    },
  };
}

/** A copy of options as JSON expresses them. */
const plain = (value: object): Plain => JSON.parse(JSON.stringify(value)) as Plain;
