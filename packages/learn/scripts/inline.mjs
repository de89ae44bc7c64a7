// Inlines the functions that src/model/dense.ts does not export, because TypeScript forbids the decorator of AssemblyScript. Products of
// matrices take up to a tenth longer without it.
import { FunctionDeclaration, Node } from "assemblyscript/dist/assemblyscript.js";
import { Transform } from "assemblyscript/dist/transform.js";

/** The flag of exported declarations, whose enumeration is a type alone. */
const EXPORTED = 1 << 1;
const SHARED = /src\/model\/dense/;

export default class extends Transform {
  afterParse(/** @type {any} */ { sources }) {
    for (const { internalPath, statements, range } of sources) {
      if (!SHARED.test(internalPath)) continue;
      for (const statement of statements) {
        if (!(statement instanceof FunctionDeclaration) || statement.is(EXPORTED)) continue;
        const name = Node.createIdentifierExpression("inline", range);
        statement.decorators = [Node.createDecorator(name, null, range)];
      }
    }
  }
}
