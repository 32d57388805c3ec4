import { join } from "node:path";
import { chromium } from "playwright/test";
import { startSite } from "#tests/bench/servers.ts";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { pictureFolder, replace, smallEnough } from "./shoot.ts";

// npm run card: renders the picture of shared links from the cover of the page.

const viewport = { width: 1200, height: 630 };
const mostBytes = 100_000;

/** Only who it is, as large as the picture; not what is true on some days only. */
const style = `
  .book { position: fixed; inset: 0; inline-size: auto; max-inline-size: none; margin: 0;
    display: grid; grid-template-columns: 1fr; border: 0; border-radius: 0; }
  .leaf, footer, .cover-page > :not(header) { display: none !important; }
  header > p:has(.dot) { display: none; }
  .cover { display: grid; place-items: center; padding: 0; border-radius: 0; }
  .cover-page { position: static; padding: 0; }
  .cover-page > header { zoom: 1.65; }
`;

await using data = await tempFolder();
await using site = await startSite(data.path);
const browser = await chromium.launch(await launchOptions());
try {
  // The page's policy refuses styles that are not its own.
  const context = await browser.newContext({ viewport, bypassCSP: true, colorScheme: "light" });
  const page = await context.newPage();
  await page.goto(site.url);
  await page.addStyleTag({ content: style });
  const picture = await smallEnough(mostBytes, (quality) =>
    page.screenshot({ type: "jpeg", quality }),
  );
  await replace(join(pictureFolder, "card.jpg"), picture);
  console.log(`card.jpg has ${(picture.length / 1000).toFixed(1)} kB`);
} finally {
  await browser.close();
}
