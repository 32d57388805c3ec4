import { join } from "node:path";
import { chromium } from "playwright/test";
import { startSite } from "#tests/bench/servers.ts";
import { launchOptions } from "#tests/support/browser/chromium.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { pictureFolder, replace, smallEnough } from "./shoot.ts";

// npm run card: renders the picture of shared links from the cover of the page.

const viewport = { width: 1200, height: 630 };
const mostBytes = 100_000;

/**
 * Who it is, without what is true on some days only, and beside it the first work that has a picture.
 * The star is in the middle, which is all that some previews show.
 */
const style = `
  .book { position: fixed; inset: 0; width: auto; margin: 0; display: block; border-radius: 0; }
  .leaf, footer, .cover header ~ *, header > p:has(.dot) { display: none !important; }
  .cover { display: flex; align-items: center; height: 100%; padding: 0 60px; }
  .cover > div { position: static; flex: 1; padding: 0; margin: 0; }
  .cover header { zoom: 1.5; }
  .window { align-self: start; width: 370px; margin: 64px 0 0 10px; outline: 0;
    box-shadow: 0 20px 60px rgb(0 0 0 / 0.4); }
  .window::after { content: none; }
`;

await using data = await tempFolder();
await using site = await startSite(data.path);
const browser = await chromium.launch(launchOptions);
try {
  // The page's policy refuses styles that are not its own.
  const context = await browser.newContext({ viewport, bypassCSP: true, colorScheme: "light" });
  const page = await context.newPage();
  await page.goto(site.url);
  await page.addStyleTag({ content: style });
  await page.evaluate(async () => {
    const picture = document.querySelector<HTMLImageElement>(".window img");
    if (picture) {
      picture.loading = "eager";
      await picture.decode();
      document.querySelector(".cover")?.append(picture.parentElement ?? picture);
    }
  });
  const picture = await smallEnough(mostBytes, (quality) =>
    page.screenshot({ type: "jpeg", quality }),
  );
  await replace(join(pictureFolder, "card.jpg"), picture);
  console.log(`card.jpg has ${(picture.length / 1000).toFixed(1)} kB`);
} finally {
  await browser.close();
}
