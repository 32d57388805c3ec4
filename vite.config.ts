import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { htmlOf } from "./app/document/markdown.server.ts";

/** npm run dev: any page in the same browser could otherwise open files in the developer's editor. */
const withoutEditor: Plugin = {
  name: "without-editor",
  configureServer({ middlewares }) {
    middlewares.use("/__open-in-editor", (_request, response) => {
      response.writeHead(404).end();
    });
  },
};

/** A document is imported as HTML. */
const documents: Plugin = {
  name: "documents",
  transform: {
    filter: { id: /\.md$/ },
    handler: (text) => ({
      code: `export default ${JSON.stringify(htmlOf(text))}`,
      moduleType: "js",
      map: null,
    }),
  },
};

/** The first ones that have what scripts and styles need. Older ones keep the plain pages. */
const browsers = [
  // :dir()
  "chrome120",
  "edge120",
  // popover, and Intl.Segmenter of the board
  "firefox125",
  // popover
  "safari17",
];

export default defineConfig({
  plugins: [withoutEditor, documents, tailwindcss(), reactRouter()],
  // Its feature LightDark: no rule uses light-dark(), which it would prepare in every sheet.
  css: { lightningcss: { exclude: 1_048_576 } },
  // Without it, npm run dev would serve every file of the project over HTTP, keys and database too.
  server: { fs: { allow: ["app", "node_modules"] } },
  // The build's end deletes what is too old.
  build: {
    emptyOutDir: false,
    // Advice for who writes plugins, printed at an owner's first start.
    rolldownOptions: { checks: { pluginTimings: false } },
    target: browsers,
    // For older ones the build would replace :dir() by the page's language.
    cssTarget: browsers,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // Each route is a file of its own beside them. A phone waits longer for thirty small files.
              groups: [
                { name: "react", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
                { name: "shared", minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    ssr: { build: { rolldownOptions: { input: "./app/site.ts" } } },
  },
});
