import { fileURLToPath } from "node:url";

/** The folder of package.json. Relative paths start there, wherever the process was started. */
export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));
