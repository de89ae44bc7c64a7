// Reads mangled C++ names (Itanium C++ ABI, External Names (a.k.a. Mangling)): encodings and names.
import { listed, type Node, node, packOf, shown, text, Unreadable } from "./node.js";
import { OPERATORS, STANDARD } from "./tables.js";
import { TypeReader } from "./types.js";

export type { Node, Printing } from "./node.js";

const SPECIAL: Readonly<Record<string, string>> = {
  TV: "vtable for ",
  TT: "VTT for ",
  TI: "typeinfo for ",
  TS: "typeinfo name for ",
  GV: "guard variable for ",
  TH: "TLS init function for ",
  TW: "TLS wrapper function for ",
};

/** A name, with the facts that the type of its function depends on. */
interface Name {
  readonly node: Node;
  /** Whether it ends in template arguments, so that the type of the result precedes the parameters. */
  readonly isTemplate: boolean;
  /** Qualifiers of a member function. */
  readonly qualifiers: string;
}

interface Encoding {
  readonly name: Node;
  /** The name with the parameters. */
  readonly signature: Node;
  readonly whole: Node;
}

export class SymbolReader extends TypeReader {
  /** The arguments of the template whose declaration is being read. */
  #template: { arguments: readonly Node[] } = { arguments: [] };
  #isLambda = false;

  /** @throws Unreadable */
  read(): Encoding {
    this.expect("_Z");
    const encoding = this.#encoding();
    const rest = this.takeRest();
    // Compilers append a suffix to the name of a cloned function, such as `.isra.0`.
    if (rest !== "" && !/^[.$@]/.test(rest)) throw new Unreadable();
    if (rest === "") return encoding;
    return { ...encoding, whole: node((p) => [`${shown(encoding.whole, p)} [clone ${rest}]`, ""]) };
  }

  #encoding(): Encoding {
    const outer = this.#template;
    this.#template = { arguments: [] };
    const special = SPECIAL[this.peek(2)];
    if (special !== undefined) {
      this.take(2);
      const of = special.startsWith("T") || special.startsWith("g") ? this.name().node : this.type();
      const whole = node((p) => [special + shown(of, p), ""]);
      return { name: whole, signature: whole, whole };
    }
    const { node: name, isTemplate, qualifiers } = this.name();
    if (this.atEnd || /[E.$@]/.test(this.peek(1))) {
      this.#template = outer;
      return { name, signature: name, whole: name };
    }
    const result = isTemplate ? this.type() : undefined;
    const parameters = this.parameters();
    this.#template = outer;
    const signature = node((p) => [`${shown(name, p)}(${listed(parameters, p)})${qualifiers}`, ""]);
    if (result === undefined) return { name, signature, whole: signature };
    const whole = node((p) => {
      const [left, right, encloses] = result(p);
      return [`${left}${left.endsWith("(*") || encloses ? "" : " "}${shown(signature, p)}${right}`, ""];
    });
    return { name, signature, whole };
  }

  protected name(): Name {
    const plain = (one: Node, isTemplate = false): Name => ({ node: one, isTemplate, qualifiers: "" });
    switch (this.peek(1)) {
      case "N":
        return this.#nested();
      case "Z":
        return this.#local();
      case "S": {
        if (this.peek(2) !== "St") {
          const one = this.substitution();
          return this.peek(1) === "I" ? plain(this.withArguments(one), true) : plain(one);
        }
        this.take(2);
        const inner = this.#unqualified();
        const one = node((p) => [`std::${shown(inner, p)}`, ""]);
        if (this.peek(1) !== "I") return plain(one);
        this.substitutions.push(one);
        return plain(this.withArguments(one), true);
      }
      default: {
        const one = this.#unqualified();
        if (this.peek(1) !== "I") return plain(one);
        this.substitutions.push(one);
        return plain(this.withArguments(one), true);
      }
    }
  }

  #nested(): Name {
    this.expect("N");
    const cv = this.cvQualifiers();
    const reference = this.accept("R") ? " &" : this.accept("O") ? " &&" : "";
    let whole: Node | undefined;
    let isTemplate = false;
    let isSubstitution = false;
    let hasResult = true;
    while (!this.accept("E")) {
      this.accept("M");
      const prefix: Node | undefined = whole;
      isSubstitution = false;
      const next = this.peek(1);
      if (next === "I") {
        if (prefix === undefined) throw new Unreadable();
        whole = this.withArguments(prefix);
        isTemplate = true;
      } else if (next === "S" && this.peek(2) !== "St") {
        if (prefix !== undefined) throw new Unreadable();
        whole = this.substitution();
        isSubstitution = true;
        this.className = whole;
      } else {
        let one: Node;
        this.#hasNoResult = false;
        if (next === "S") {
          this.take(2);
          one = text("std");
          isSubstitution = true;
        } else if (next === "T") one = this.templateParameter();
        else if (/^D[tT]/.test(this.peek(2))) one = this.type();
        else one = this.#unqualified();
        hasResult = !this.#hasNoResult;
        isTemplate = false;
        whole = prefix === undefined ? one : node((p) => hidden(shown(prefix, p), shown(one, p)));
      }
      if (!isSubstitution) this.substitutions.push(whole);
    }
    if (whole === undefined) throw new Unreadable();
    if (!isSubstitution) this.substitutions.pop();
    return { node: whole, isTemplate: isTemplate && hasResult, qualifiers: cv + reference };
  }

  /** Whether the name that was read last is that of a constructor, a destructor or a conversion. */
  #hasNoResult = false;

  #local(): Name {
    this.expect("Z");
    const { signature } = this.#encoding();
    this.expect("E");
    if (this.accept("s")) {
      this.#discriminator();
      return {
        node: node((p) => [`${shown(signature, p)}::string literal`, ""]),
        isTemplate: false,
        qualifiers: "",
      };
    }
    // An entity in a default argument: its number from the right follows.
    if (this.accept("d")) this.#number();
    const inner = this.name();
    this.#discriminator();
    return { ...inner, node: node((p) => [`${shown(signature, p)}::${shown(inner.node, p)}`, ""]) };
  }

  #discriminator(): void {
    const found = /^(__\d+_|_\d)/.exec(this.rest);
    if (found !== null) this.take(found[0].length);
  }

  #unqualified(): Node {
    return this.deeper(() => {
      this.accept("L");
      let one = this.#simpleName();
      while (this.accept("B")) {
        const tag = this.sourceName();
        const untagged = one;
        one = node((p) => [`${shown(untagged, p)}[abi:${tag}]`, ""]);
      }
      return one;
    });
  }

  #simpleName(): Node {
    this.#hasNoResult = false;
    const next = this.peek(2);
    if (/^\d/.test(next)) {
      const name = this.sourceName();
      this.className = text(/^_GLOBAL_[._$]N/.test(name) ? "(anonymous namespace)" : name);
      return this.className;
    }
    if (/^(C[1-5]|CI|D[0-5])/.test(next)) {
      this.take(2);
      if (next === "CI") {
        this.take(1);
        this.type();
      }
      this.#hasNoResult = true;
      const of = this.className;
      return node((p) => [(next[0] === "D" ? "~" : "") + lastOf(shown(of, { ...p, bare: true })), ""]);
    }
    if (next === "DC") {
      this.take(2);
      const names: string[] = [];
      while (!this.accept("E")) names.push(this.sourceName());
      return text(`[${names.join(", ")}]`);
    }
    if (next === "Ut") {
      this.take(2);
      return text(`{unnamed type#${this.#number() + 2}}`);
    }
    if (next === "Ul") {
      this.take(2);
      const outer = this.#isLambda;
      this.#isLambda = true;
      const parameters = this.parameters();
      this.#isLambda = outer;
      this.expect("E");
      const number = this.#number() + 2;
      return node((p) => [
        `{lambda(${listed(parameters, { effort: p.effort, bare: false, isLambda: true })})#${number}}`,
        "",
      ]);
    }
    return this.operatorName();
  }

  operatorName(): Node {
    const code = this.take(2);
    if (code === "cv") {
      const to = this.type();
      this.#hasNoResult = true;
      return node((p) => [`operator ${shown(to, p)}`, ""]);
    }
    if (code === "li") return text(`operator"" ${this.sourceName()}`);
    const sign = OPERATORS.get(code);
    if (sign === undefined) throw new Unreadable();
    return text(`operator${sign}`);
  }

  sourceName(): string {
    const length = Number(/^\d{1,5}/.exec(this.rest)?.[0] ?? 0);
    if (length === 0) throw new Unreadable();
    this.take(String(length).length);
    return this.take(length);
  }

  /** A sequence number: -1 for `_`, otherwise its digits, and the `_` after it. */
  #number(): number {
    const digits = /^\d{0,6}_/.exec(this.rest)?.[0];
    if (digits === undefined) throw new Unreadable();
    this.take(digits.length);
    return digits === "_" ? -1 : Number(digits.slice(0, -1));
  }

  protected substitution(): Node {
    const standard = STANDARD.get(this.peek(2));
    if (standard !== undefined) {
      this.take(2);
      let one = text(standard);
      // Tags belong to the name, and make it a substitution of its own.
      while (this.accept("B")) {
        const untagged = one;
        const tag = this.sourceName();
        one = node((p) => [`${shown(untagged, p)}[abi:${tag}]`, ""]);
        this.substitutions.push(one);
      }
      return one;
    }
    const found = /^S([0-9A-Z]{0,5})_/.exec(this.rest);
    if (found === null) throw new Unreadable();
    this.take(found[0].length);
    const index = found[1] === "" ? 0 : Number.parseInt(found[1]!, 36) + 1;
    const one = this.substitutions[index];
    if (one === undefined) throw new Unreadable();
    return one;
  }

  templateParameter(): Node {
    const found = /^T(?:L(\d+)_)?(\d{0,5})_/.exec(this.rest);
    if (found === null) throw new Unreadable();
    this.take(found[0].length);
    const index = found[2] === "" ? 0 : Number(found[2]) + 1;
    const from = this.#template;
    if (this.#isLambda) {
      // The arguments of a generic lambda follow its name.
      const auto = text(`auto:${index + 1}`);
      return node((p) => ((p.isLambda ? undefined : from.arguments[index]) ?? auto)(p));
    }
    const one = from.arguments[index];
    if (one === undefined) throw new Unreadable();
    return one;
  }

  protected withArguments(template: Node): Node {
    const args = this.templateArguments();
    return node((p) => {
      const name = shown(template, p);
      if (p.bare) return [name, ""];
      const words = listed(args, p);
      return [`${name}${name.endsWith("<") ? " " : ""}<${words}${words.endsWith(">") ? " " : ""}>`, ""];
    });
  }

  templateArguments(): Node[] {
    return this.deeper(() => {
      this.expect("I");
      const args: Node[] = [];
      const isOutermost = this.argumentDepth === 0;
      if (isOutermost) this.#template.arguments = args;
      this.argumentDepth++;
      while (!this.accept("E")) args.push(this.deeper(() => this.#templateArgument()));
      this.argumentDepth--;
      return args;
    });
  }

  #templateArgument(): Node {
    switch (this.peek(1)) {
      case "X": {
        this.take(1);
        const value = this.expression();
        this.expect("E");
        return value;
      }
      case "L":
        return this.literal();
      case "J": {
        this.take(1);
        const elements: Node[] = [];
        while (!this.accept("E")) elements.push(this.deeper(() => this.#templateArgument()));
        return packOf(elements);
      }
      default:
        return this.type();
    }
  }

  encodedName(): Node {
    return this.deeper(() => this.#encoding().name);
  }
}

/** `prefix::name`, without the namespaces that nvcc makes for the names of one file. */
function hidden(prefix: string, name: string): [string, string] {
  return [/^_INTERNAL_/.test(prefix) ? name : `${prefix}::${name}`, ""];
}

/** The last component of a name without template arguments. */
const lastOf = (name: string): string => name.split("::").at(-1)!;
