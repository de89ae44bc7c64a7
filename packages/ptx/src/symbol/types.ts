// Reads the types in mangled names (Itanium C++ ABI, Type encodings).
import { ExpressionReader } from "./expressions.js";
import { derived, expansion, listed, type Node, node, shown, text, Unreadable } from "./node.js";
import { BUILT_IN } from "./tables.js";

/** The deepest nesting that is read. */
const DEEPEST = 150;

export abstract class TypeReader extends ExpressionReader {
  protected readonly substitutions: Node[] = [];
  /** The name of the class whose constructors are named after it. */
  protected className = text("");
  /** The number of template argument lists around the position. */
  protected argumentDepth = 0;
  #depth = 0;

  protected abstract name(): { readonly node: Node };
  protected abstract substitution(): Node;
  /** The name of a template with the arguments that follow. */
  protected abstract withArguments(template: Node): Node;

  protected parameters(): Node[] {
    const parameters: Node[] = [];
    while (!this.atEnd && !/[E.$@]/.test(this.peek(1)) && !/^[RO]E/.test(this.peek(2)))
      parameters.push(this.type());
    if (parameters.length === 0) throw new Unreadable();
    return parameters.length === 1 && this.text.slice(this.at - 1, this.at) === "v" ? [] : parameters;
  }

  protected cvQualifiers(): string {
    const [r, v, k] = [this.accept("r"), this.accept("V"), this.accept("K")];
    return (k ? " const" : "") + (v ? " volatile" : "") + (r ? " restrict" : "");
  }

  type(): Node {
    return this.deeper(() => {
      const { made, isNew } = this.#readType();
      if (isNew) this.substitutions.push(made);
      return made;
    });
  }

  #readType(): { made: Node; isNew: boolean } {
    const known = (made: Node) => ({ made, isNew: false });
    const added = (made: Node) => ({ made, isNew: true });
    const two = this.peek(2);
    const built = BUILT_IN.get(two.startsWith("D") ? two : two[0]!);
    if (built !== undefined) {
      this.take(two.startsWith("D") ? 2 : 1);
      return known(text(built));
    }
    switch (two[0]) {
      case "r":
      case "V":
      case "K": {
        const qualifiers = this.cvQualifiers();
        return added(derived(this.type(), qualifiers));
      }
      case "P":
        this.take(1);
        return added(derived(this.type(), "*"));
      case "R":
        this.take(1);
        return added(derived(this.type(), "&"));
      case "O":
        this.take(1);
        return added(derived(this.type(), "&&"));
      case "C":
        this.take(1);
        return added(derived(this.type(), " _Complex"));
      case "U": {
        if (two === "Ul" || two === "Ut") return added(this.name().node);
        this.take(1);
        const name = this.sourceName();
        const args = this.peek(1) === "I" ? this.withArguments(text(name)) : text(name);
        const inner = this.type();
        return added(node((p) => [`${shown(inner, p)} ${shown(args, p)}`, ""]));
      }
      case "u":
        this.take(1);
        return added(text(this.sourceName()));
      case "F":
        return added(this.#functionType());
      case "A":
        return added(this.#array());
      case "M":
        return added(this.#memberPointer());
      case "T": {
        const parameter = this.templateParameter();
        if (this.peek(1) !== "I") return added(parameter);
        this.substitutions.push(parameter);
        return added(this.#nestedArguments(parameter));
      }
      case "S":
        if (two !== "St") {
          const one = this.substitution();
          return this.peek(1) === "I" ? added(this.#nestedArguments(one)) : known(one);
        }
        return added(this.#named());
      case "D":
        return this.#specialType(two);
      default:
        return added(this.#named());
    }
  }

  /** Template arguments of a type are not those of the declaration that it belongs to. */
  #nestedArguments(template: Node): Node {
    return this.inType(() => this.withArguments(template));
  }

  #named(): Node {
    return this.inType(() => this.name().node);
  }

  protected inType<Result>(read: () => Result): Result {
    this.argumentDepth++;
    const className = this.className;
    const result = read();
    this.className = className;
    this.argumentDepth--;
    return result;
  }

  #specialType(two: string): { made: Node; isNew: boolean } {
    if (two === "Do" || two === "Dx") return { made: this.#functionType(), isNew: true };
    this.take(2);
    switch (two) {
      case "Dp":
        return { made: expansion(this.type()), isNew: true };
      case "Dt":
      case "DT": {
        const value = this.expression();
        this.expect("E");
        return { made: node((p) => [`decltype (${shown(value, p)})`, ""]), isNew: true };
      }
      case "Dv": {
        const size = this.peek(1) === "_" ? "" : /^\d{0,6}/.exec(this.rest)![0];
        this.take(size.length);
        const value = size === "" && this.accept("_") ? this.expression() : text(size);
        this.expect("_");
        const inner = this.type();
        return { made: node((p) => [`${shown(inner, p)} __vector(${shown(value, p)})`, ""]), isNew: true };
      }
      case "DF": {
        const bits = /^\d{1,4}/.exec(this.rest)?.[0] ?? "";
        this.take(bits.length);
        if (this.accept("b")) return { made: text(`std::bfloat${bits}_t`), isNew: false };
        const x = this.accept("x") ? "x" : "";
        if (x === "") this.expect("_");
        return { made: text(`_Float${bits}${x}`), isNew: false };
      }
      default:
        throw new Unreadable();
    }
  }

  #functionType(): Node {
    let noexcept = "";
    if (this.accept("Do")) noexcept = " noexcept";
    this.accept("Dx");
    this.expect("F");
    this.accept("Y");
    const result = this.type();
    const parameters = this.parameters();
    const reference = this.accept("R") ? " &" : this.accept("O") ? " &&" : "";
    this.expect("E");
    return node((p) => {
      const [left, right, encloses] = result(p);
      const gap = encloses || left.endsWith("(") ? "" : " ";
      return [left + gap, `(${listed(parameters, p)})${reference}${noexcept}${right}`, true];
    });
  }

  #array(): Node {
    this.expect("A");
    const digits = /^\d{0,20}/.exec(this.rest)![0];
    this.take(digits.length);
    const bound = digits === "" && this.peek(1) !== "_" ? this.expression() : text(digits);
    this.expect("_");
    const element = this.type();
    return node((p) => {
      const [left, right] = element(p);
      return [left, ` [${shown(bound, p)}]${right.trimStart()}`, true];
    });
  }

  #memberPointer(): Node {
    this.expect("M");
    const of = this.type();
    const member = this.type();
    return node((p) => {
      const [left, right, encloses] = member(p);
      const owner = `${shown(of, p)}::*`;
      return encloses ? [`${left.trimEnd()} (${owner}`, `)${right}`] : [`${left} ${owner}`, right];
    });
  }

  nest<Result>(read: () => Result): Result {
    return this.deeper(() => this.inType(read));
  }

  protected deeper<Result>(read: () => Result): Result {
    if (++this.#depth > DEEPEST) throw new Unreadable();
    const result = read();
    this.#depth--;
    return result;
  }
}
