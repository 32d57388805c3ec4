import { parseArgs } from "node:util";
import { chromium } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { pictureFolder, shoot } from "./shoot.ts";

// npm run shots: photographs the works' own addresses for the page. `-- --only 2`: the second one.
const { values } = parseArgs({ options: { only: { type: "string" } } });
const only = values.only === undefined ? undefined : Number(values.only);
if (only !== undefined && owner.works[only - 1] === undefined) {
  console.error(`--only takes the number of a work, from 1 to ${owner.works.length}.`);
  process.exit(1);
}

const browser = await chromium.launch(launchOptions);
try {
  for (const [index, work] of owner.works.entries()) {
    const number = index + 1;
    if (only === undefined || only === number) {
      const file = work.picture ?? `work-${number}.webp`;
      const result = await shoot(browser, { link: work.link, file }, pictureFolder).then(
        (bytes) => {
          const hint = work.picture ? "" : `; add picture: "${file}" to works.${index}`;
          return `${file} has ${(bytes / 1000).toFixed(1)} kB${hint}`;
        },
        (error: Error) => {
          process.exitCode = 1;
          return `failed, nothing was changed: ${error.message.split("\n", 1)[0]}`;
        },
      );
      console.log(`${number} of ${owner.works.length}, ${work.link}: ${result}`);
    }
  }
} finally {
  await browser.close();
}
