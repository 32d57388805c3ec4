import type { Config } from "@react-router/dev/config";
import { compressAssets, dropOldAssets } from "./app/server/pages/build.ts";

export default {
  ssr: true,
  // server/http/csrf.ts has already checked the form's origin, for all host names of the site.
  allowedActionOrigins: ["**"],
  // A handful of URLs: the whole manifest is smaller than one request to discover it.
  routeDiscovery: { mode: "initial" },
  // A client action in a file of its own would be as large as its name in the manifest.
  splitRouteModules: false,
  async buildEnd() {
    await dropOldAssets();
    await compressAssets();
  },
} satisfies Config;
