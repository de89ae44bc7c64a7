// The entry `@mm-ptx/learn`.
import "./model/modules.js";

export { LearnError, type LearnErrorCode } from "./error.js";
export { Linear } from "./linear/linear.js";
export type { LinearLoadOptions, LinearOptions } from "./linear/options.js";
export type { Activation } from "./mlp/layout.js";
export { Mlp } from "./mlp/mlp.js";
export type { MlpLoadOptions, MlpOptions } from "./mlp/options.js";
export type { Backend, BackendOption, ComputeOptions } from "./model/backend.js";
export type { LabelKind } from "./model/labels.js";
export type { Predictor } from "./model/model.js";
export { Neighbours, type NeighboursOptions } from "./neighbours/neighbours.js";
export { Pca, type PcaLoadOptions, type PcaOptions } from "./pca/pca.js";
export { Screen, type ScreenOptions } from "./screen.js";
export { Table, type TableOptions } from "./table.js";
export type { TreeForm, TreeSample } from "./trees/layout.js";
export type { TreesLoadOptions, TreesOptions } from "./trees/options.js";
export { Trees } from "./trees/trees.js";
export { type Decile, Watch, type WatchOptions, type WatchReport } from "./watch.js";
