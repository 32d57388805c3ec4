import { fileURLToPath } from "node:url";

/** The folder of package.json. Relative paths in settings start here. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
