// Copies the CUDA header of @mm-ptx/inject into this package's dist, where its compilers look for it: a package that is
// installed alone has it too.
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../dist/include/", import.meta.url));
mkdirSync(folder, { recursive: true });
copyFileSync(new URL("../../inject/include/ptx_inject.h", import.meta.url), `${folder}ptx_inject.h`);
