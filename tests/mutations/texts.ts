import type { Mutated } from "./mutation.ts";

export const texts: Mutated[] = [
  {
    file: "app/lib/working-time.ts",
    tests: ["app/lib/working-time.test.ts"],
    faults: [
      [
        "a time that a change of the clock skips is wrong",
        " && offsetAt(utc - after) === after",
        "",
      ],
    ],
  },
  {
    file: "app/models/promise.server.ts",
    tests: ["app/models/promise.server.test.ts", "tests/contract/inbox-line.test.ts"],
    faults: [
      ["a message of the very millisecond is in time", "amount) + 1)", "amount))"],
      ["a debt is old a day late", "oldDays = 7", "oldDays = 8"],
    ],
  },
  {
    file: "app/models/absences.server.ts",
    tests: ["app/models/absences.server.test.ts", "tests/site/absences.test.ts"],
    faults: [
      [
        "what came on a day off is answered on another",
        "isAway(absences, dateOf(came)) ? came : ",
        "",
      ],
    ],
  },
  {
    file: "app/routes/admin/line-place.ts",
    tests: ["app/routes/admin/line-place.test.ts"],
    faults: [
      [
        "with nobody late the line stands above the last one",
        " || (!below && message.id === edge.id)",
        "",
      ],
    ],
  },
  {
    file: "app/models/phone.server.ts",
    tests: ["app/models/phone.test.ts"],
    faults: [["digits beside a number are lost", " && !/[+\\p{N}]/u.test(beside)", ""]],
  },
  {
    file: "app/models/reply.ts",
    tests: ["app/models/reply.test.ts"],
    faults: [
      ["a link is so long that a mail program cuts it", "0 ? undefined", "-200 ? undefined"],
      ["signs in a name are patterns", "() => shorten", "shorten"],
    ],
  },
  {
    file: "app/models/search.server.ts",
    tests: ["app/models/search.server.test.ts"],
    faults: [
      ["an excerpt misses what is around its match", "alwaysShown = 50", "alwaysShown = 500"],
    ],
  },
  {
    file: "app/lib/flood-log.server.ts",
    tests: ["app/lib/flood-log.test.ts"],
    faults: [
      ["after a quiet minute an event is not logged at once", "delete(key);", "set(key, 0);"],
    ],
  },
  {
    file: "app/server/workbook/workbook-of.ts",
    tests: ["app/server/workbook/workbook-of.test.ts"],
    faults: [["Excel reads _x0041_ as A", '.replace(/_(?=x[\\dA-Fa-f]{4}_)/g, "_x005F_")', ""]],
  },
  {
    file: "app/server/notifications/mail-text.ts",
    tests: ["app/server/notifications/mail-text.test.ts"],
    faults: [["a mail is larger than 90 kB", "size > room;", "size > room * 2;"]],
  },
  {
    file: "app/server/mail/layout.ts",
    tests: ["app/server/notifications/mail-text.test.ts", "app/server/mail/account-texts.test.ts"],
    faults: [
      ["a visitor's second line passes for the site's", "replaceAll(/^/gm", "replace(/^/"],
      ["a name is markup", "escapeHtml(block.sender)", "block.sender"],
    ],
  },
  {
    file: "app/content/placeholders.ts",
    tests: ["app/content/placeholders.test.ts"],
    faults: [["a domain that begins alike is a placeholder", "com([/?#]|$)", "com"]],
  },
];
