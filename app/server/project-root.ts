import { fileURLToPath } from "node:url";

/** The folder of package.json, where relative paths start. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
