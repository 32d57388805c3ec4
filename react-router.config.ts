import type { Config } from "@react-router/dev/config";
import { compressAssets } from "./app/http/build.ts";

export default {
  ssr: true,
  // A handful of URLs: the whole manifest is smaller than one request to discover it.
  routeDiscovery: { mode: "initial" },
  buildEnd: compressAssets,
} satisfies Config;
