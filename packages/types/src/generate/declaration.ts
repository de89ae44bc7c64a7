// Declarations of generated modules in three forms: TypeScript, plain JavaScript, and the types beside JavaScript.

/** TypeScript, or JavaScript with its types in a `.d.ts` file next to it. */
export type Form = "typescript" | "javascript" | "types";

/** What a module exports; `name` is its name in the module. */
export type Declaration = TypeDeclaration | ValueDeclaration | ObjectDeclaration;

interface Named {
  readonly name: string;
  readonly doc?: string;
}

/** A type, which JavaScript does not have. */
interface TypeDeclaration extends Named {
  readonly is: "type";
  /** Begins with a blank or a line end. */
  readonly type: string;
}

interface ValueDeclaration extends Named {
  readonly is: "value";
  readonly type: string;
  readonly value: string;
  /** Whether TypeScript infers the type, so that it is not written there. */
  readonly isInferred?: boolean;
  /** The name that other modules see, where it cannot be the name of a constant. */
  readonly exportedAs?: string;
}

interface ObjectDeclaration extends Named {
  readonly is: "object";
  readonly members: readonly {
    readonly key: string;
    readonly doc?: string;
    readonly type: string;
    readonly value: string;
  }[];
}

/** The text of a declaration in a module of this form; empty if that has none. */
export function declarationText(declaration: Declaration, form: Form): string {
  const text = BY_KIND[declaration.is](declaration as never, form);
  return text === "" ? "" : docText(declaration.doc, "") + text;
}

const BY_KIND = {
  type: ({ name, type }: TypeDeclaration, form: Form): string =>
    form === "javascript" ? "" : `export type ${name} =${type};`,

  value({ name, type, value, isInferred, exportedAs }: ValueDeclaration, form: Form): string {
    const annotation = form === "types" || (form === "typescript" && isInferred !== true) ? `: ${type}` : "";
    const constant = `const ${name}${annotation}`;
    const whole = form === "types" ? `declare ${constant};` : `${constant} = ${value};`;
    return exportedAs === undefined ? `export ${whole}` : `${whole}\nexport { ${name} as ${exportedAs} };`;
  },

  object({ name, members }: ObjectDeclaration, form: Form): string {
    const lines = members.map(({ key, doc, type, value }) => {
      const member = form === "types" ? `readonly ${key}: ${type};` : `${key}: ${value},`;
      return `${docText(doc, "  ")}  ${member}\n`;
    });
    const body = `{\n${lines.join("")}}`;
    if (form === "types") return `export declare const ${name}: ${body};`;
    return `export const ${name} = ${body}${form === "typescript" ? " as const" : ""};`;
  },
} satisfies Record<Declaration["is"], (declaration: never, form: Form) => string>;

const docText = (doc: string | undefined, indent: string): string =>
  doc === undefined ? "" : `${indent}/** ${doc} */\n`;
