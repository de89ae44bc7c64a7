// Invariants of every text that was read, however damaged: nothing is lost, and every span is where it says.
import type { PtxModule, PtxValue } from "../../src/index.js";

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Throws unless a condition is true. Cheaper than `expect`, because it is called millions of times. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`expected ${what}`);
}

/** Throws unless tokens, statements and scopes cover the text, and every span contains what it should. */
export function expectSound(module: PtxModule): void {
  expectTokens(module);
  expectStatements(module);
  expectScopes(module);
  expectDeclarations(module);
  expectNames(module);
}

function expectTokens({ text, tokens }: PtxModule): void {
  let printed = "";
  for (let token = 0; token < tokens.count; token++) {
    must(tokens.start(token) < tokens.end(token), "a token to have characters");
    printed += tokens.textOf(token);
  }
  must(printed === text, "the tokens to be the text");
}

/** The statements and the blanks and comments between them add up to the text. */
function expectStatements({ text, tokens, statements }: PtxModule): void {
  const { firsts, ends, count } = statements;
  let printed = "";
  let token = 0;
  const printGap = (next: number) => {
    for (; token < next; token++) {
      must(["blank", "comment"].includes(tokens.kind(token)), "only blanks and comments between statements");
      printed += tokens.textOf(token);
    }
  };
  for (let statement = 0; statement < count; statement++) {
    printGap(firsts[statement]!);
    must(ends[statement]! > token, "a statement to have tokens");
    printed += text.slice(statements.start(statement), statements.end(statement));
    token = ends[statement]!;
  }
  printGap(tokens.count);
  must(printed === text, "the statements and what is between them to be the text");
}

function expectScopes({ statements }: PtxModule): void {
  const { scopes, parents, opens, closes, scopeCount, count } = statements;
  for (let scope = 1; scope < scopeCount; scope++) {
    const [open, close] = [opens[scope]!, closes[scope]!];
    must(parents[scope]! < scope && scopes[open] === parents[scope], "a scope to be in its parent");
    must(statements.kind(open) === "open" && open > opens[scope - 1]!, "scopes in the order of their braces");
    must(open <= close && close < count, "a scope to have an end");
  }
  for (let statement = 0; statement < count; statement++) {
    must(scopes[statement]! < scopeCount, "a statement to be in a scope");
  }
}

function expectDeclarations({ text, functions, globals, statements, problems }: PtxModule): void {
  const isAt = (name: string, { start, end }: Span) => text.slice(start, end) === name;
  let last = 0;
  for (const { name, nameSpan, span, headerSpan, bodySpan, results, parameters: params } of functions) {
    must(isAt(name, nameSpan), "the name of a function at its place");
    must(span.start === headerSpan.start && span.start >= last, "functions one after the other");
    must(span.end === (bodySpan ?? headerSpan).end, "a function to end with its body");
    must(bodySpan === undefined || text[bodySpan.start] === "{", "a body to begin with a brace");
    last = span.end;
    for (const one of [...results, ...params]) must(isAt(one.name, one.nameSpan), "a parameter at its place");
  }
  for (const { name, nameSpan, span, statement } of globals) {
    must(isAt(name, nameSpan), "a variable at its place");
    const isInside = statements.start(statement) <= span.start && span.end <= statements.end(statement);
    must(isInside, "a variable in its statement");
  }
  for (const { span } of problems) {
    must(0 <= span.start && span.start < span.end && span.end <= text.length, "a problem in the text");
  }
}

function expectNames(module: PtxModule): void {
  const { text, names, statements } = module;
  const isAt = (name: string, { start, end }: Span) => text.slice(start, end) === name;
  let last = -1;
  for (const { name, span } of names.declarations) {
    must(isAt(name, span) && span.start > last, "declarations at their places, in order");
    last = span.start;
  }
  last = -1;
  for (const { name, span, statement, declaration } of names.uses) {
    must(isAt(name, span) && span.start > last, "uses at their places, in order");
    must(declaration === undefined || name.startsWith(declaration.name), "a use to name what it means");
    last = span.start;
    if (statements.kind(statement) !== "instruction") continue;
    // The same answer by another way: up through the scopes, instead of down with a table.
    const meant = names.meaningIn(statements.scopes[statement]!, name);
    must(meant?.name === declaration?.name && meant?.scope === declaration?.scope, `one meaning of ${name}`);
  }
  for (let statement = 0; statement < statements.count; statement++) {
    if (statements.kind(statement) !== "instruction") continue;
    for (const operand of module.instruction(statement).operands) {
      must(isAt(operand.text, operand.span), "an operand at its place");
    }
    expectOperation(module, statement);
  }
}

/** Both readings have the same instruction, and each value is at its place in it. */
function expectOperation(module: PtxModule, statement: number): void {
  const { opcode } = module.instruction(statement);
  const { start, end } = module.spanOf(statement);
  const operation = module.operation(statement);
  must(operation.opcode === opcode, "one opcode");
  const expectValue = (value: PtxValue): void => {
    must(start <= value.span.start && value.span.start < value.span.end, "a value in its statement");
    must(value.span.end <= Math.max(end, value.span.start + 1), "a value to end in its statement");
    if (value.kind === "name") {
      must(module.text.startsWith(value.name, value.span.start), "a name at its place");
    } else if (value.kind === "vector" || value.kind === "address" || value.kind === "list") {
      for (const item of value.items) expectValue(item);
    } else if (value.kind === "pair") {
      expectValue(value.first);
      expectValue(value.second);
    }
  };
  for (const operand of operation.operands) expectValue(operand);
}
