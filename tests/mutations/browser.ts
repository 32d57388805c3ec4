import type { Mutated } from "./mutation.ts";

export const browser: Mutated[] = [
  {
    file: "app/hooks/keep-form.ts",
    tests: [
      "tests/e2e/contact.test.ts",
      "tests/e2e/sorting.test.ts",
      "tests/e2e/notes.test.ts",
      "tests/e2e/unsaved-notes.test.ts",
      "tests/e2e/errors.test.ts",
    ],
    faults: [
      [
        "a fault of the scripts looks like a lost connection",
        "!isRouteErrorResponse(error) && !isBroken(error)",
        "error === undefined",
      ],
    ],
  },
  {
    file: "app/routes/admin/header.tsx",
    tests: ["tests/e2e/looks.test.ts"],
    faults: [
      [
        "scripts open a page that has none",
        `<a href={href("/")} className={accountClass}>
          <Labelled icon="home">الرئيسية</Labelled>
        </a>`,
        `<Link to={href("/")} className={accountClass}>
          <Labelled icon="home">الرئيسية</Labelled>
        </Link>`,
      ],
    ],
  },
  {
    file: "app/hooks/keep-typed.ts",
    tests: ["tests/e2e/typed.test.ts"],
    faults: [["what was ticked before the scripts is lost", "    field.click();\n", ""]],
  },
  {
    file: "app/hooks/held-page.ts",
    tests: ["tests/e2e/unsaved-notes.test.ts"],
    faults: [["a note is lost without a question", "        event.preventDefault();\n", ""]],
  },
  {
    file: "app/hooks/read-again.ts",
    tests: ["tests/e2e/loads.test.ts"],
    faults: [["a reading that a link ended is not made again", "asked || isEnded", "asked"]],
  },
  {
    file: "app/components/toast-store.ts",
    tests: ["tests/e2e/toasts.test.ts"],
    faults: [["an equal toast does not begin its time again", "    change(equal.id, {});\n", ""]],
  },
  {
    file: "app/routes/admin/use-open.ts",
    tests: [
      "tests/e2e/sorting.test.ts",
      "tests/e2e/keys.test.ts",
      "tests/e2e/another-owner.slow.test.ts",
    ],
    faults: [
      ["after the last message nothing is open", ", ...messages.slice(0, at).toReversed()", ""],
    ],
  },
  {
    file: "app/routes/admin/use-keys.ts",
    tests: ["tests/e2e/keys.test.ts"],
    faults: [
      [
        "a key that is held down sorts on and on",
        '&& code !== "KeyJ" && code !== "KeyK"',
        "=== undefined",
      ],
    ],
  },
  {
    file: "app/routes/admin/use-live.tsx",
    tests: ["tests/e2e/live.test.ts", "tests/e2e/loads.test.ts", "tests/e2e/fresh.test.ts"],
    faults: [
      [
        "a message that arrives twice stands twice",
        ".some((other) => other.message.id === message.id)",
        " === undefined",
      ],
    ],
  },
];
