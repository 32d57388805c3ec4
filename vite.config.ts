import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // Its feature LightDark: no rule uses light-dark(), which it would prepare in every sheet.
  css: { lightningcss: { exclude: 1_048_576 } },
  // npm run dev: else every file of the project, keys and database too, can be read over HTTP.
  server: { fs: { allow: ["app", "node_modules"] } },
  // The build's end deletes what is too old.
  build: {
    emptyOutDir: false,
    // Advice for who writes plugins, printed at an owner's first start.
    rolldownOptions: { checks: { pluginTimings: false } },
    // The first browsers with :has() and :dir(). For older ones the build replaces :dir() by the
    // page's language, which aligns English messages like Arabic ones.
    cssTarget: ["chrome120", "edge120", "firefox121", "safari16.4"],
  },
  environments: {
    ssr: { build: { rolldownOptions: { input: "./app/site.ts" } } },
  },
});
