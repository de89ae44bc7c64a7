// Reads the expressions in mangled names (Itanium C++ ABI, Expressions).
import { expansion, listed, type Node, node, shown, text, Unreadable } from "./node.js";
import { CASTS, OF_TYPE, OF_VALUE, OPERATORS, SUFFIXES, UNARY } from "./tables.js";

/** A position in a mangled name, and the expressions that can be read there. */
export abstract class ExpressionReader {
  readonly text: string;
  at = 0;

  constructor(mangled: string) {
    this.text = mangled;
  }

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The text that has not been read, cut to the length that a regular expression needs. */
  get rest(): string {
    return this.text.substr(this.at, 32);
  }

  peek(count: number): string {
    return this.text.substr(this.at, count);
  }

  take(count: number): string {
    const taken = this.text.substr(this.at, count);
    if (taken.length < count || count < 0) throw new Unreadable();
    this.at += count;
    return taken;
  }

  takeRest(): string {
    return this.take(this.text.length - this.at);
  }

  accept(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  expect(word: string): void {
    if (!this.accept(word)) throw new Unreadable();
  }

  abstract type(): Node;
  abstract templateParameter(): Node;
  abstract templateArguments(): Node[];
  abstract operatorName(): Node;
  abstract encodedName(): Node;
  abstract sourceName(): string;
  abstract nest<Result>(read: () => Result): Result;

  /** `L <type> <value> E`, or `L _Z <encoding> E`. */
  literal(): Node {
    this.expect("L");
    if (this.accept("_Z") || this.accept("Z")) {
      const name = this.encodedName();
      this.expect("E");
      return name;
    }
    const code = this.peek(1);
    const type = this.type();
    const digits = /^n?[0-9a-f]*/.exec(this.text.slice(this.at, this.at + 64))![0];
    this.take(digits.length);
    this.expect("E");
    const value = digits.replace("n", "-");
    if (code === "b" && value.length === 1) return text(value === "0" ? "false" : "true");
    const suffix = SUFFIXES.get(code);
    if (suffix !== undefined) return text(value + suffix);
    return node((p) => [`(${shown(type, p)})${/^[fdeg]$/.test(code) ? `[${value}]` : value}`, ""]);
  }

  expression(): Node {
    return this.nest(() => this.#expression());
  }

  #expression(): Node {
    const next = this.peek(1);
    if (next === "L") return this.literal();
    if (next === "T") return this.templateParameter();
    if (/\d/.test(next)) return this.#simpleId();
    const global = this.accept("gs") ? "::" : "";
    const code = this.take(2);
    switch (code) {
      case "fp":
        return this.#parameter();
      case "fL": {
        this.take(/^\d{1,4}p/.exec(this.rest)?.[0].length ?? 0);
        return this.#parameter();
      }
      case "cl": {
        const [called, ...args] = this.#list(1);
        return node((p) => [`${enclosed(shown(called!, p))}(${listed(args, p)})`, ""]);
      }
      case "cv": {
        const to = this.type();
        const values = this.accept("_") ? this.#list(0) : [this.expression()];
        return node((p) => [`(${shown(to, p)})(${listed(values, p)})`, ""]);
      }
      case "tl": {
        const to = this.type();
        const values = this.#list(0);
        return node((p) => [`${shown(to, p)}{${listed(values, p)}}`, ""]);
      }
      case "il": {
        const values = this.#list(0);
        return node((p) => [`{${listed(values, p)}}`, ""]);
      }
      case "nw": {
        while (!this.accept("_")) this.expression();
        const type = this.type();
        this.accept("pi");
        const values = this.#list(0);
        return node((p) => [`${global}new ${shown(type, p)}(${listed(values, p)})`, ""]);
      }
      case "dt":
      case "pt": {
        const of = this.expression();
        const member = this.expression();
        const sign = code === "dt" ? "." : "->";
        return node((p) => [`${enclosed(shown(of, p))}${sign}${shown(member, p)}`, ""]);
      }
      case "ix": {
        const [of, index] = [this.expression(), this.expression()];
        return node((p) => [`${enclosed(shown(of, p))}[${shown(index, p)}]`, ""]);
      }
      case "qu": {
        const [test, yes, no] = [this.expression(), this.expression(), this.expression()];
        return node((p) => [
          `${enclosed(shown(test, p))}?${enclosed(shown(yes, p))} : ${enclosed(shown(no, p))}`,
          "",
        ]);
      }
      case "sp":
        return expansion(this.expression());
      case "sr":
        return this.#scoped(global);
      case "on": {
        const name = this.operatorName();
        return this.#withArguments(name);
      }
      case "fl":
      case "fr": {
        const sign = this.#sign();
        const value = this.expression();
        return node((p) => [
          code === "fl"
            ? `(...${sign}${enclosed(shown(value, p))})`
            : `(${enclosed(shown(value, p))}${sign}...)`,
          "",
        ]);
      }
      case "fR": {
        const sign = this.#sign();
        const [first, second] = [this.expression(), this.expression()];
        return node((p) => [`(${shown(first, p)}${sign}...${sign}${shown(second, p)})`, ""]);
      }
      default:
        return this.#operation(code, global);
    }
  }

  #operation(code: string, global: string): Node {
    const cast = CASTS.get(code);
    if (cast !== undefined) {
      const [type, value] = [this.type(), this.expression()];
      return node((p) => [`${cast}<${shown(type, p)}>(${shown(value, p)})`, ""]);
    }
    const ofType = OF_TYPE.get(code);
    const ofValue = OF_VALUE.get(code);
    if (ofType !== undefined || ofValue !== undefined) {
      const value = ofType === undefined ? this.expression() : this.type();
      return node((p) => [`${ofType ?? ofValue} (${shown(value, p)})`, ""]);
    }
    const sign = OPERATORS.get(code)?.trim();
    if (sign === undefined) throw new Unreadable();
    if (UNARY.has(code)) {
      const prefix = this.accept("_");
      const value = this.expression();
      const isPostfix = (code === "pp" || code === "mm") && !prefix;
      return node((p) => {
        const words = enclosed(shown(value, p));
        return [isPostfix ? words + sign : global + sign + words, ""];
      });
    }
    const [left, right] = [this.expression(), this.expression()];
    return node((p) => {
      const words = `${enclosed(shown(left, p))}${sign}${enclosed(shown(right, p))}`;
      return [sign === ">" ? `(${words})` : words, ""];
    });
  }

  /** `fp _`, `fp <number> _`, with qualifiers, or `fpT`. */
  #parameter(): Node {
    if (this.accept("T")) return text("this");
    const found = /^[rVK]*(\d{0,4})_/.exec(this.rest);
    if (found === null) throw new Unreadable();
    this.take(found[0].length);
    return text(`{parm#${found[1] === "" ? 1 : Number(found[1]) + 2}}`);
  }

  #sign(): string {
    const sign = OPERATORS.get(this.take(2));
    if (sign === undefined) throw new Unreadable();
    return sign.trim();
  }

  /** At least `least` expressions, up to an `E`. */
  #list(least: number): Node[] {
    const values: Node[] = [];
    while (!this.accept("E")) values.push(this.expression());
    if (values.length < least) throw new Unreadable();
    return values;
  }

  /** A name that depends on template parameters: `sr` was read. */
  #scoped(global: string): Node {
    const isLong = this.accept("N");
    const isPlain = /\d/.test(this.peek(1));
    const parts = isPlain ? [] : [this.type()];
    if (isLong || isPlain) while (!this.accept("E")) parts.push(this.#simpleId());
    parts.push(this.#baseName());
    return node((p) => [global + parts.map((one) => shown(one, p)).join("::"), ""]);
  }

  #baseName(): Node {
    if (this.accept("on")) return this.#withArguments(this.operatorName());
    if (this.accept("dn")) {
      const of = this.#simpleId();
      return node((p) => [`~${shown(of, p)}`, ""]);
    }
    return this.#simpleId();
  }

  #simpleId(): Node {
    const name = text(this.sourceName());
    return this.#withArguments(name);
  }

  #withArguments(name: Node): Node {
    if (this.peek(1) !== "I") return name;
    const args = this.templateArguments();
    return node((p) => {
      const words = listed(args, p);
      return [`${shown(name, p)}<${words}${words.endsWith(">") ? " " : ""}>`, ""];
    });
  }
}

/** Operands are in parentheses unless they are names without template arguments of their own. */
function enclosed(words: string): string {
  return /^(\{parm#\d+\}|[A-Za-z_:][\w:]*(<.*>::\w+)?)$/.test(words) ? words : `(${words})`;
}
