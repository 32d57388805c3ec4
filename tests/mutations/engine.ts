import type { Mutated } from "./mutation.ts";

export const engine: Mutated[] = [
  {
    file: "supabase/embedded/engine/supervisor.ts",
    tests: [
      "supabase/embedded/engine/supervisor.test.ts",
      "supabase/embedded/tests/engine-recovery.slow.test.ts",
    ],
    faults: [
      ["three slow probes in a month restart PostgreSQL", "0 : failures", "failures : failures"],
      ["old restarts slow the next one down", "since > 60_000", "since < 0"],
    ],
  },
  {
    file: "supabase/embedded/engine/stale-postmaster.ts",
    tests: ["supabase/embedded/tests/engine-leftovers.slow.test.ts"],
    faults: [
      [
        "a process of a server that hangs is left",
        '"SIGKILL", to: "all"',
        '"SIGKILL", to: "roots"',
      ],
    ],
  },
  {
    file: "supabase/embedded/engine/lock.ts",
    tests: ["supabase/embedded/tests/engine.slow.test.ts"],
    faults: [["two sites open one folder", "begin exclusive", "begin"]],
  },
  {
    file: "supabase/embedded/engine/migrations.ts",
    tests: ["supabase/embedded/tests/engine-migrations.test.ts"],
    faults: [
      ["a changed migration is taken", "text !== text", "text === undefined"],
      ["a migration's settings stay for the next one", "; reset all; reset role", ""],
    ],
  },
  {
    file: "supabase/embedded/prepare.ts",
    tests: ["tests/site/update.slow.test.ts"],
    faults: [
      [
        "an update does not wait for its backup",
        "await beforeUpdate?.(missing",
        "void beforeUpdate?.(missing)?.catch(() => undefined",
      ],
    ],
  },
  {
    file: "supabase/embedded/keys.ts",
    tests: ["supabase/embedded/tests/engine.slow.test.ts"],
    faults: [["another site's keys are taken", "!== identity", "=== undefined"]],
  },
  {
    file: "supabase/embedded/sql.ts",
    tests: ["supabase/embedded/tests/engine-connections.slow.test.ts"],
    faults: [
      ["a transaction that was rolled back looks committed", '!== "COMMIT"', '=== "ROLL BACK"'],
    ],
  },
  {
    file: "supabase/embedded/rest/statements.ts",
    tests: ["supabase/embedded/rest/statements.test.ts", "tests/contract/rest.test.ts"],
    faults: [["a call that only reads may write", "!called.isVolatile", "false"]],
  },
  {
    file: "supabase/embedded/live/listener.ts",
    tests: [
      "supabase/embedded/tests/live-changes.test.ts",
      "supabase/embedded/tests/live-recovery.slow.test.ts",
    ],
    faults: [["a reader that is far behind misses rows", "[undefined];", "[];"]],
  },
  {
    file: "supabase/embedded/live/index.ts",
    tests: [
      "supabase/embedded/tests/live-changes.test.ts",
      "supabase/embedded/tests/live-recovery.slow.test.ts",
      "tests/contract/rest.test.ts",
    ],
    faults: [
      [
        "a listener begins while nothing is heard",
        "!changes.isConnected()",
        "changes === undefined",
      ],
    ],
  },
  {
    file: "app/server/live/session-inbox.ts",
    tests: [
      "tests/security/live-socket.test.ts",
      "tests/security/live-sessions.slow.test.ts",
      "tests/site/live-inbox.slow.test.ts",
      "tests/site/lost-database.slow.test.ts",
    ],
    faults: [["a fault of the database ends all boards", "(() => true)", "(() => false)"]],
  },
];
