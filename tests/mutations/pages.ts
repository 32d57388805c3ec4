import type { Mutated } from "./mutation.ts";

export const pages: Mutated[] = [
  {
    file: "app/routes/home/home.tsx",
    tests: [
      "tests/site/notifications.test.ts",
      "tests/security/hostile.test.ts",
      "tests/site/refusals.test.ts",
      "tests/security/receipts.test.ts",
    ],
    faults: [
      ["the owner is told half a minute late", "  notifications.wake();\n", ""],
      [
        "a form without the trap is no program's",
        'form.get(trapName) === ""',
        "!form.get(trapName)",
      ],
    ],
  },
  {
    file: "app/models/message.server.ts",
    tests: ["app/models/message.server.test.ts"],
    faults: [
      [
        "a message whose fate nobody knows is called not sent",
        "(?!08)[\\dA-Z]{5}$|^PGRST(?!001)",
        "[\\dA-Z]{5}$|^PGRST",
      ],
    ],
  },
  {
    file: "app/routes/admin/board-actions.server.ts",
    tests: ["tests/site/board.test.ts"],
    faults: [["an undo of one message leaves another open", "one ?? view.", "view."]],
  },
  {
    file: "app/server/main.ts",
    tests: [
      "tests/site/counts.test.ts",
      "tests/site/process.slow.test.ts",
      "tests/site/start.test.ts",
    ],
    faults: [["a stop cuts the requests in flight", "await finish", "void finish"]],
  },
  {
    file: "app/server/notifications/webhook.ts",
    tests: ["tests/site/notifications-webhook.test.ts"],
    faults: [["a service that is busy has refused", " || status === 429", ""]],
  },
  {
    file: "app/server/backend/outside/outside-backend.ts",
    tests: ["tests/site/hosted-service.slow.test.ts"],
    faults: [
      [
        "the secret key goes with an account's calls",
        "isAuth ? secretKey : publishableKey",
        "secretKey",
      ],
    ],
  },
  {
    file: "app/models/account/sign-in.server.ts",
    tests: ["tests/security/sessions.test.ts", "tests/contract/auth.test.ts"],
    faults: [["a password of another keyboard does not sign in", "password === ", ""]],
  },
];
