// The entry `@mm-ptx/search`: spaces, archives, emitters, evaluators and the search, for browsers and Node.
export {
  AdditionStatus,
  type Additions,
  type Archive,
  type ArchiveRows,
} from "./archives/archive.js";
export {
  type CvtArchive,
  type CvtArchiveOptions,
  cvtArchive,
  type MeasureRange,
} from "./archives/cvt.js";
export {
  type GridArchive,
  type GridArchiveOptions,
  gridArchive,
} from "./archives/grid.js";
export type {
  CategoricalAxis,
  GridAxis,
  GridAxisOptions,
  IntegerAxis,
  RealAxis,
} from "./archives/grid-axes.js";
export {
  type NoveltyArchive,
  type NoveltyArchiveOptions,
  type NoveltyMeasure,
  noveltyArchive,
} from "./archives/novelty.js";
export type { CellArchiveOptions, EliteOptions } from "./archives/options.js";
export {
  type ParetoArchive,
  type ParetoArchiveOptions,
  type ParetoMeasure,
  paretoArchive,
} from "./archives/pareto.js";
export {
  type ProjectedArchive,
  type ProjectedArchiveOptions,
  projectedArchive,
} from "./archives/projected.js";
export { Candidates, NO_OPERATOR, NO_PARENT, type Scores } from "./candidates.js";
export { Draws } from "./draws.js";
export { type BackpropagateOptions, backpropagate } from "./emitters/backpropagation/backpropagate.js";
export { type CmaEsOptions, cmaEs } from "./emitters/cma-es.js";
export type { CmaEsRanker } from "./emitters/cma-es-generation.js";
export type { CreditOptions } from "./emitters/credit.js";
export { type CustomCandidate, type CustomFunction, custom } from "./emitters/custom.js";
export type { Emission, Emitter, Feedback } from "./emitters/emitter.js";
export { type EnumerateOptions, enumerate } from "./emitters/enumerate.js";
export { type EvolveOptions, evolve, type VaryingEmitter } from "./emitters/evolve.js";
export { type GaussianOptions, gaussian } from "./emitters/gaussian.js";
export { type IsoLineOptions, isoLine } from "./emitters/iso-line.js";
export { type Cooling, type McmcOptions, mcmc } from "./emitters/mcmc.js";
export type { OperatorRates, OperatorUse } from "./emitters/operators.js";
export type { RatesOverTime } from "./emitters/rate-history.js";
export { seeds } from "./emitters/seeds.js";
export { type CuriosityOptions, curiosity } from "./emitters/select/curiosity.js";
export { type LexicaseOptions, lexicase } from "./emitters/select/lexicase.js";
export type { Selection } from "./emitters/select/selection.js";
export { type TournamentOptions, tournament } from "./emitters/select/tournament.js";
export { uniform } from "./emitters/select/uniform.js";
export { SearchError, type SearchErrorCode } from "./error.js";
export { CodeShape } from "./evaluation/code-shape.js";
export { columnsEvaluator } from "./evaluation/columns/evaluator.js";
export type { ColumnsEvaluatorOptions, RacingOptions, TuningStep } from "./evaluation/columns/options.js";
export {
  type EvaluatedBatch,
  type Evaluation,
  type Evaluator,
  type Measurements,
  SCREENED,
} from "./evaluation/evaluator.js";
export { type FunctionEvaluatorOptions, functionEvaluator, type GenomeScore } from "./evaluation/function.js";
export { type MachineCost, MachineCostModel, machineCost } from "./evaluation/machine/cost.js";
export { type Measure, type MeasuredProgram, measures } from "./evaluation/measures.js";
export { gates, type Tier, type TierGate, tiers } from "./evaluation/tiers.js";
export { EXPORT_FORMATS, type ExportFormat, type ExportOptions, exportGenome } from "./export/export.js";
export { CostLesson, type LearnedCost, type LessonBatch, type LessonStep } from "./lesson/cost-lesson.js";
export type { PartState, Plain, StateArray } from "./plain.js";
export type { CustomFeatures, ScreeningOptions, ScreenModel } from "./screening/options.js";
export type { ScreenReport } from "./screening/screening.js";
export type { CustomTarget, ScreenedResult, ScreenTarget } from "./screening/target.js";
export type { Batch } from "./search/batch.js";
export type { BatchEvent, EndEvent, EndReason, SearchEvent } from "./search/events.js";
export { migrate, Ring, type RingOptions } from "./search/islands.js";
export type { IslandOptions, IslandPopulation, RunOptions, SearchOptions } from "./search/options.js";
export { type RestartOptions, RestartPlan } from "./search/restarts.js";
export { Search, type SearchState, type Told } from "./search/search.js";
export { type CompareOptions, type Comparison, comparePrograms } from "./simplify/compare.js";
export type { ComparisonOptions, Equality } from "./simplify/equality.js";
export { CORE_INSTRUCTIONS } from "./simplify/operations.js";
export { type ShrinkOptions, type ShrinkResult, shrink } from "./simplify/shrink.js";
export { type SimplifyOptions, type SimplifyResult, simplify } from "./simplify/simplify.js";
export { AstSpace, astSpace } from "./spaces/ast.js";
export type { ConstantSource, ConstantsOptions } from "./spaces/ast-constants.js";
export type { AstSpaceOptions } from "./spaces/ast-options.js";
export type { Constraints, NestingLimit } from "./spaces/constraints.js";
export type { EnumerableSpace } from "./spaces/enumerable.js";
export { type FunctionDefinitions, functions } from "./spaces/functions.js";
export type {
  Formula,
  Genome,
  ProgramRegister,
  ProgramSpace,
  Space,
  VariationOperator,
} from "./spaces/space.js";
export { type StackSpace, stackSpace } from "./spaces/stack.js";
export type { ConstantChoice } from "./spaces/stack-constants.js";
export type { StackFunctions } from "./spaces/stack-functions.js";
export type { InstructionChoice } from "./spaces/stack-instructions.js";
export type { StackSpaceOptions } from "./spaces/stack-options.js";
export type { Dimension, Units } from "./spaces/units.js";
export { VectorOperator, type VectorSpace, vectorSpace } from "./spaces/vector.js";
export type { VectorSpaceOptions } from "./spaces/vector-options.js";
