import type { OxlintConfig, OxlintOverride } from "oxlint";

/** A package, or a pattern of imports. */
type Ban =
  | { name: string; message: string }
  | { message: string; group?: string[]; regex?: string };

const embedded = "embedded-supabase";
const noZod: Ban = { name: "zod", message: "The browser gets this: use zod/mini." };
const noZodMini: Ban = { name: "zod/mini", message: "The server uses zod." };
const noServerFiles: Ban = { regex: "[.]server[.]tsx?$", message: "The browser gets this." };
const noRouter: Ban = {
  group: [
    "react-router",
    "@react-router/**",
    "react",
    "react-dom",
    "remix-toast",
    "hono",
    "hono/**",
  ],
  message: "This layer does not know the router.",
};

/**
 * Returns the override for the files of one layer. Of this project they may import what `may` lists:
 * folders of app by name, everything else by its pattern. Of other packages they may import all but
 * `bans`.
 */
function layer(files: string, may: string[], ...bans: Ban[]): OxlintOverride {
  const patterns = may.map((target) => (/^[a-z]+$/.test(target) ? `#app/${target}/**` : target));
  const others = {
    group: ["#*", "#*/**", embedded, `${embedded}/**`, ...patterns.map((each) => `!${each}`)],
    message: `${files} may import of this project: ${may.join(", ") || "nothing"}.`,
  };
  return {
    files: [files],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: bans.filter((ban) => "name" in ban),
          // Last, because the linter stops at a group that allows the import.
          patterns: [...bans.filter((ban) => !("name" in ban)), others],
        },
      ],
    },
  };
}

/** Tests may import everything but this. */
const embeddedParts: Ban = {
  group: ["#supabase/embedded/**"],
  message: `${embedded} is a package: import its entries by its name.`,
};

const database = "#supabase/database.types.ts";
const contract = "#app/site-contract.server.ts";
const calls = "#app/supabase-calls.ts";
const pages = ["routes", "components", "hooks", "models", "content", "lib"];

export default {
  plugins: ["typescript", "unicorn", "react", "jsx-a11y", "import", "promise", "vitest"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  ignorePatterns: ["build", ".data", ".react-router"],
  rules: {
    "react/react-in-jsx-scope": "off",
    "import/no-unassigned-import": "off",
    "no-await-in-loop": "off",
    "jsx-a11y/prefer-tag-over-role": "off",
    "unicorn/require-post-message-target-origin": "off",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/consistent-type-definitions": ["error", "interface"],
    "typescript/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
    "typescript/no-import-type-side-effects": "error",
    "import/no-duplicates": ["error", { preferInline: true }],
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-relative-parent-imports": "error",
    "vitest/consistent-test-it": ["error", { fn: "test", withinDescribe: "test" }],
    "vitest/no-standalone-expect": [
      "error",
      { additionalTestBlockFunctions: ["test", "test.each", "test.for"] },
    ],
    "id-match": [
      "error",
      "^_?[a-z$][a-zA-Z0-9_$]*$|^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$|^_?[A-Z]?$|^(TOTP|JWK|STATUS_CODES|RESPONSE_ALREADY_SENT)$",
      { onlyDeclarations: true, ignoreDestructuring: true },
    ],
    "max-lines": ["error", 200],
    curly: ["error", "all"],
  },
  // Of two overrides for a file the later one holds.
  overrides: [
    layer("app/*.{ts,tsx}", ["document", "session", ...pages]),
    layer("app/supabase-calls.ts", [database]),
    layer(
      "app/server/**",
      [
        "server",
        "session",
        "document",
        "models",
        "content",
        "lib",
        "#app/site.ts",
        contract,
        database,
        "#package.json",
      ],
      noZodMini,
    ),
    layer(
      "app/server/backend/backend.ts",
      ["server", "session", "models", "content", "lib", contract, calls, embedded],
      noZodMini,
    ),
    layer(
      "app/server/commands/**",
      ["server", "content", "lib", `${embedded}/maintenance`, "#package.json"],
      noZodMini,
    ),
    layer("app/document/**", ["lib", "#app/**/*.css?inline"]),
    layer("app/session/**", ["session", "models", "content", "lib", contract, database], noZodMini),
    layer("app/routes/**", ["session", contract, "#documents/**", "#app/site.css?url", ...pages]),
    layer(
      "app/components/**",
      ["components", "hooks", "models", "content", "lib"],
      noZod,
      noServerFiles,
    ),
    layer("app/hooks/**", ["hooks", "models", "lib"], noZod, noServerFiles),
    layer("app/models/**", ["models", "content", "lib", database], noZod, noRouter),
    layer(
      "app/models/**/*.server.ts",
      ["models", "content", "lib", contract, database],
      noZodMini,
      noRouter,
    ),
    layer("app/content/**", ["content", "lib"], noZodMini, noRouter),
    layer("app/lib/**", ["lib"], noZod, noRouter),
    layer("supabase/**", ["#embedded/**"], noZodMini),
    {
      files: ["app/*.ts", "app/*.tsx", ...pages.map((folder) => `app/${folder}/**`)],
      rules: { "import/no-nodejs-modules": "error" },
    },
    {
      files: ["**/*.server.ts", "**/*.server.tsx"],
      rules: { "import/no-nodejs-modules": "off" },
    },
    { files: ["**/*.test.ts"], rules: { "import/no-nodejs-modules": "off" } },
    {
      files: ["app/**/*.test.ts", "tests/**"],
      rules: { "no-restricted-imports": ["error", { patterns: [embeddedParts] }] },
    },
    { files: ["supabase/database.types.ts"], rules: { "max-lines": "off" } },
    { files: ["tests/**"], rules: { "id-match": "off" } },
    {
      files: ["tests/**", "**/*.test.ts"],
      rules: { "max-lines": ["error", 300] },
    },
  ],
} satisfies OxlintConfig;
