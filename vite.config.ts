import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

// What every hydrated page needs, in two files: brotli finds more in one file than in ten.
const codeSplitting = {
  groups: [
    { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
    { name: "shared", test: /\/app\/(components|lib)\// },
  ],
};

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  // Found at start rather than on first use, which would reload a developer's first page.
  optimizeDeps: { entries: ["app/entry.client.tsx", "app/root.tsx", "app/routes/**/*.tsx"] },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting } } } },
    ssr: { build: { rolldownOptions: { input: "./app/site.ts" } } },
  },
});
