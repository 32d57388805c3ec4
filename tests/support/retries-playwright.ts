import { relative } from "node:path";
import type { FullConfig, Reporter, Suite } from "playwright/types/testReporter";
import { storeRetried } from "./retries.ts";
import { root } from "./spawn-server.ts";

/** Stores the tests that passed at their second try only. Playwright makes one of the class. */
export default class RetriesReporter implements Reporter {
  #tests: Suite | undefined;

  onBegin(_: FullConfig, tests: Suite): void {
    this.#tests = tests;
    storeRetried("playwright", []);
  }

  onEnd(): void {
    const retried = this.#tests?.allTests().filter((test) => test.outcome() === "flaky") ?? [];
    storeRetried(
      "playwright",
      retried.map(({ location, title, parent }) =>
        [relative(root, location.file), parent.project()?.name, title].join(" > "),
      ),
    );
  }

  printsToStdio(): boolean {
    return false;
  }
}
