import { expect, isHydrated, signUp, test } from "#tests/support/browser/test.ts";
import { pages } from "#tests/support/routes.ts";

const withScripts = /^\/(auth|account(?!\/documents)|admin)([/?]|$)/;

/** Evaluated in a page. Presses its links, and stays. Returns the path of each, and whether scripts took it. */
const pressLinks = () => {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("main a[href], header a[href]")];
  return links
    .filter(({ origin }) => origin === location.origin)
    .map((link) => {
      let isTaken = false;
      const stay = (click: Event) => {
        isTaken = click.defaultPrevented;
        click.preventDefault();
      };
      addEventListener("click", stay, { once: true });
      link.click();
      return { path: link.pathname, isTaken };
    });
};

test("every link of a page with scripts to one without asks for a document", async ({
  page,
  browser,
  site,
}) => {
  await signUp(page);
  const stranger = await browser.newPage({ baseURL: site.url });
  let pressed = 0;
  // A page's query changes none of these links.
  const once = new Map(pages.map((one) => [one.path.split("?")[0], one]));
  for (const { path, session } of [...once.values()].filter((one) => withScripts.test(one.path))) {
    const tab = session === "needed" ? page : stranger;
    await tab.goto(path);
    await tab.waitForFunction(isHydrated);
    const links = (await tab.evaluate(pressLinks)).filter((link) => !withScripts.test(link.path));
    expect([path, links.filter((link) => link.isTaken)]).toEqual([path, []]);
    pressed += links.length;
  }
  expect(pressed).toBeGreaterThan(1);
});
