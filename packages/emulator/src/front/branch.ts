// Labels: the targets of branches, and the lists and prototypes that labels name.
import type { PtxPrototype, PtxValue } from "@mm-ptx/ptx";
import type { LabelOperand } from "../program/operand.js";
import { type ModuleContext, meaningOf } from "./context.js";

/** Resolves the labels of a function. */
export class BranchChecker {
  readonly #context: ModuleContext;
  /** Maps a statement to the index of the instruction that follows it. */
  readonly #instructionAt: (statement: number) => number;

  constructor(context: ModuleContext, instructionAt: (statement: number) => number) {
    this.#context = context;
    this.#instructionAt = instructionAt;
  }

  /** Where a branch goes. */
  label(value: PtxValue): LabelOperand | undefined {
    const statement = this.#statementOf(value, "a label");
    if (statement === undefined || value.kind !== "name") return undefined;
    return { kind: "label", name: value.name, target: this.#instructionAt(statement) };
  }

  /** The targets of a `brx.idx`: the labels of the `.branchtargets` directive after the label that it names. */
  targets(value: PtxValue): readonly number[] | undefined {
    const directive = this.#directiveOf(value, ".branchtargets");
    if (directive === undefined) return undefined;
    const { module, problems } = this.#context;
    const targets: number[] = [];
    for (const name of module.names.usesIn(module.spanOf(directive))) {
      if (name.declaration?.kind === "label") targets.push(this.#instructionAt(name.declaration.statement));
      else problems.expect("UNDECLARED", name.span, "a label");
    }
    if (targets.length > 0) return targets;
    problems.expect("WRONG_OPERANDS", module.spanOf(directive), "labels");
    return undefined;
  }

  /**
   * The signature of the functions that an indirect call may reach, and the functions themselves if they are listed.
   */
  prototype(
    value: PtxValue,
  ):
    | { readonly prototype: PtxPrototype | undefined; readonly names: readonly string[] | undefined }
    | undefined {
    const { module } = this.#context;
    const statement = this.#statementOf(value, "a call prototype or a list of functions");
    if (statement === undefined) return undefined;
    const directive = this.#directiveAfter(statement);
    const name = directive === undefined ? undefined : module.directive(directive).name;
    if (name === ".callprototype") return { prototype: module.prototype(directive!), names: undefined };
    if (name === ".calltargets") return { prototype: undefined, names: module.directive(directive!).values };
    this.#context.problems.expect("WRONG_OPERANDS", value.span, "a call prototype or a list of functions");
    return undefined;
  }

  #directiveOf(value: PtxValue, name: string): number | undefined {
    const statement = this.#statementOf(value, `the label of \`${name}\``);
    if (statement === undefined) return undefined;
    const directive = this.#directiveAfter(statement);
    if (directive !== undefined && this.#context.module.directive(directive).name === name) return directive;
    this.#context.problems.expect("WRONG_OPERANDS", value.span, `the label of \`${name}\``);
    return undefined;
  }

  /** The directive that follows a label. */
  #directiveAfter(label: number): number | undefined {
    const { statements } = this.#context.module;
    const next = label + 1;
    return next < statements.count && statements.kind(next) === "directive" ? next : undefined;
  }

  #statementOf(value: PtxValue, expected: string): number | undefined {
    if (value.kind === "name") {
      const meaning = meaningOf(this.#context, value);
      if (meaning === undefined || meaning.kind === "mistaken") return undefined;
      if (meaning.kind === "label") return meaning.statement;
    }
    this.#context.problems.expect("WRONG_OPERANDS", value.span, expected);
    return undefined;
  }
}
