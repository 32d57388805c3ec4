import type { Config } from "@react-router/dev/config";
import { finishBuild } from "./app/server/pages/build.ts";

export default {
  ssr: true,
  // server/http/own-page.ts has judged the form before. This setting is fixed at the build, expects the scheme
  // of the proxy's own request, throws on "null", and does not hold for resource routes.
  allowedActionOrigins: ["**"],
  // A handful of URLs: the whole manifest is smaller than one request to discover it.
  routeDiscovery: { mode: "initial" },
  // A client action in a file of its own would be as large as its name in the manifest.
  splitRouteModules: false,
  // npm run dev: Vite then knows all packages of the pages before a browser asks for them.
  future: { unstable_optimizeDeps: true },
  buildEnd: finishBuild,
} satisfies Config;
