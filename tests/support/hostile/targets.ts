import * as fc from "fast-check";
import { actions, pages } from "#tests/support/routes.ts";
import { text } from "./text.ts";

export const query = fc
  .dictionary(
    fc.constantFrom(
      "mode",
      "before",
      "box",
      "next",
      "type",
      "token_hash",
      "code",
      "error",
      "index",
      "_routes",
      "p",
      "paths",
      "version",
      "redirect_to",
      "id",
      "name",
      "email",
      "token",
    ),
    text,
    { maxKeys: 4 },
  )
  .map((entries) => new URLSearchParams(entries).toString().slice(0, 6000));

export const sitePath = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...pages, ...actions).map(({ path }) => path) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "/admin.data",
      "/admin/live",
      "/_.data",
      "/__manifest",
      "/account.data",
      "/healthz",
      "/icon.svg",
      "/assets/x.js",
      "/assets/../../package.json",
      "/assets/%2e%2e/%2e%2e/.env",
      "/.git/config",
      "/build/server/index.js",
      "/..%5c..%5cpackage.json",
      "//",
      "/%",
      "/%ff",
      "/%E0%A4%A",
      "/\\",
      "*",
      "http://evil.example/admin",
      "/account/factors/%00/remove",
      "/auth/v1/../../admin",
      "/auth/v1/user",
      "/rest/v1/contact_messages",
      "/realtime/v1/websocket",
      "/rest/v1/%2e%2e/%2e%2e/account",
    ),
  },
  {
    weight: 2,
    arbitrary: text.map((value) => `/${encodeURIComponent(value.toWellFormed())}`.slice(0, 3000)),
  },
);
