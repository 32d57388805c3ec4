import type { Mutated } from "./mutation.ts";

export const copies: Mutated[] = [
  {
    file: "app/server/backups/backup-files.ts",
    tests: ["app/server/backups/backup-files.test.ts"],
    faults: [["of today only the last backup stays", " && dayOf(at) !== day", ""]],
  },
  {
    file: "app/server/backups/before-update.ts",
    tests: ["tests/site/update.slow.test.ts"],
    faults: [["each start that fails makes a backup", ")) === names", ")) === marker(names)"]],
  },
  {
    file: "app/server/commands/transfer/format.ts",
    tests: ["app/server/commands/transfer/format.test.ts"],
    faults: [["lines after the end are ignored", "isComplete ||", "!isComplete &&"]],
  },
  {
    file: "app/server/commands/transfer/save.ts",
    tests: [
      "tests/contract/backup.test.ts",
      "tests/contract/backup-under-load.slow.test.ts",
      "tests/contract/transfer.slow.test.ts",
      "tests/site/backups.slow.test.ts",
    ],
    faults: [["a copy mixes two moments", "isolation level repeatable read ", ""]],
  },
  {
    file: "app/server/backend/daily-sweeps.ts",
    tests: ["app/server/backend/daily-sweeps.test.ts"],
    faults: [["a sweep that failed waits a day", "isDone ? dailyMs : againMs", "dailyMs"]],
  },
];
