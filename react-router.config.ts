import type { Config } from "@react-router/dev/config";
import { finishBuild } from "./app/server/pages/build.ts";

export default {
  ssr: true,
  // server/http/request-listener.ts has already checked the form's origin, of resource routes too.
  allowedActionOrigins: ["**"],
  // A handful of URLs: the whole manifest is smaller than one request to discover it.
  routeDiscovery: { mode: "initial" },
  // A client action in a file of its own would be as large as its name in the manifest.
  splitRouteModules: false,
  // npm run dev: Vite then knows all packages of the pages before a browser asks for them.
  future: { unstable_optimizeDeps: true },
  buildEnd: finishBuild,
} satisfies Config;
