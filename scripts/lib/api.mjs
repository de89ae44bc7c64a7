// Which packages have API pages, and what TypeDoc reads of them: for `npm run docs`, which checks them, and for the
// site, which shows them.

import { packageFolders, ROOT, readManifest } from "./workspace.mjs";

/** The folders of the published packages that can be imported. */
export const apiFolders = () =>
  packageFolders(ROOT).filter((folder) => {
    const { private: hidden, os, exports } = readManifest(ROOT, folder);
    return hidden !== true && os === undefined && exports !== undefined;
  });

/** The options that both have, to be used from the root. @param {readonly string[]} folders */
export const apiOptions = (folders) => ({
  name: "mm-ptx",
  entryPointStrategy: /** @type {const} */ ("packages"),
  entryPoints: folders.map((folder) => `./${folder}`),
  disableSources: true,
  packageOptions: {
    disableSources: true,
    excludeInternal: true,
    // The build has already checked the types.
    skipErrorChecking: true,
  },
});
