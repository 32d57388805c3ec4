import type { Mutated } from "./mutation.ts";

export const security: Mutated[] = [
  {
    file: "app/server/http/client-address.ts",
    tests: ["tests/site/log.test.ts", "app/server/http/client-address.test.ts"],
    faults: [["a proxy that sends only Via is this machine", " ?? headers.via", ""]],
  },
  {
    file: "app/server/http/own-page.ts",
    tests: [
      "tests/security/own-address.test.ts",
      "tests/security/origin.test.ts",
      "tests/site/refusals.test.ts",
    ],
    faults: [
      ["any Host is the site's (DNS rebinding)", "&& hasNoName(used) ", ""],
      ["a neighbour without Origin is the site", " || site !== undefined", ""],
    ],
  },
  {
    file: "app/session/clients.server.ts",
    tests: [
      "tests/security/origin.test.ts",
      "tests/security/sessions.test.ts",
      "tests/site/hosted-forms.test.ts",
      "tests/site/hosted-faults.slow.test.ts",
    ],
    faults: [["nobody signs out during a fault", " && !pending.isSignedOut", ""]],
  },
  {
    file: "app/session/session-cookie.server.ts",
    tests: ["app/session/session-cookie.server.test.ts", "tests/security/tokens.test.ts"],
    faults: [
      ["a session without a refresh token is sound", "string().min(1", "string().optional("],
    ],
  },
  {
    file: "app/session/to-sign-in.server.ts",
    tests: ["tests/site/ended-session.test.ts", "tests/security/owner.test.ts"],
    faults: [
      ["a claim link is lost at the sign-in", ' || url.pathname === href("/admin/claim")', ""],
    ],
  },
  {
    file: "app/models/account/attempts.server.ts",
    tests: ["tests/security/limits.test.ts"],
    faults: [
      ["what cannot be counted is allowed", "{ status: 503, code: undefined }", "undefined"],
    ],
  },
  {
    file: "app/routes/admin/claim.tsx",
    tests: ["tests/security/owner.test.ts", "tests/e2e/owner.test.ts"],
    faults: [["a claim counts for whoever is signed in now", 'fields.has("account")', "false"]],
  },
  {
    file: "app/models/inbox.server.ts",
    tests: ["tests/site/export-faults.slow.test.ts", "tests/security/live-socket.test.ts"],
    faults: [
      [
        "an export whose session ended looks whole",
        "!read.may_read",
        "read.may_read === undefined",
      ],
    ],
  },
  {
    file: "app/routes/refused.tsx",
    tests: ["tests/site/ended-session.test.ts"],
    faults: [["caches keep a refused note", 'note" in form', 'notes" in form']],
  },
];
