import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { root } from "#tests/support/spawn-server.ts";

/** Text, its ground, and the least contrast: 4.5 for text, 3 for what is no text (WCAG 1.4.3, 1.4.11). */
const pairs: [text: string, ground: string, least: number][] = [
  ["ink", "surface", 7],
  ["ink", "ground", 7],
  ["ink", "sunk", 7],
  ["ink", "tint", 7],
  ["muted", "surface", 4.5],
  ["muted", "ground", 4.5],
  ["muted", "sunk", 4.5],
  ["muted", "tint", 4.5],
  ["brand", "surface", 4.5],
  ["brand", "ground", 4.5],
  ["brand", "sunk", 4.5],
  ["brand", "tint", 4.5],
  ["on-brand", "brand", 4.5],
  ["on-brand", "brand-strong", 4.5],
  ["on-saffron", "saffron", 4.5],
  ["saffron-text", "surface", 4.5],
  ["saffron-text", "sunk", 4.5],
  ["saffron-text", "tint", 4.5],
  ["danger", "tint", 4.5],
  ["danger", "danger-tint", 4.5],
  ["danger", "surface", 4.5],
  ["danger", "sunk", 4.5],
  ["field", "sunk", 3],
  ["field", "surface", 3],
  ["dot", "surface", 3],
  ["dot", "sunk", 3],
  ["dot", "tint", 3],
  ["on-cover", "cover", 7],
  ["on-cover-2", "cover", 4.5],
  ["saffron", "cover", 3],
  ["on-bar", "bar", 7],
  ["undo", "bar", 4.5],
];

const sheets = ["app.css", "routes/admin/board.css"];
const texts = await Promise.all(sheets.map((sheet) => readFile(`${root}/app/${sheet}`, "utf8")));
const part = (at: number) =>
  texts
    .map((css) => css.split(/@theme|@layer base/)[0]?.split("prefers-color-scheme: dark")[at])
    .join("");
const [light, dark] = [part(0), part(1)];

/** The colours of a scheme by name; dark has only those that differ. */
const coloursOf = (rules: string) =>
  Object.fromEntries(
    Array.from(rules.matchAll(/--([\w-]+): #([0-9a-f]{6});/g), ([, name, colour]) => [
      name,
      colour,
    ]),
  );
const schemes = { light: coloursOf(light), dark: { ...coloursOf(light), ...coloursOf(dark) } };

const channels = (colour: string) =>
  [0, 2, 4].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);

/** The relative luminance of WCAG 2.2. */
function luminance(rgb: number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) =>
    value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(text: number[], ground: number[]): number {
  const [low = 0, high = 0] = [luminance(text), luminance(ground)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

for (const [scheme, colours] of Object.entries(schemes)) {
  const of = (name: string) => channels(colours[name] ?? "no colour");

  test.each(pairs)(`${scheme}: %s on %s has at least %d`, (text, ground, least) => {
    expect(contrast(of(text), of(ground))).toBeGreaterThanOrEqual(least);
  });

  test(`${scheme}: both texts of a tile are readable on the lightest one`, () => {
    const tile = of("cover").map((value) => value * 0.9 + 0.1);
    // A tile's address takes four fifths of its text's colour.
    const address = of("on-cover").map((value, at) => value * 0.8 + (tile[at] ?? 0) * 0.2);
    expect(contrast(address, tile)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(of("on-cover-2"), tile)).toBeGreaterThanOrEqual(4.5);
    const onWhite = of("cover-end").map((value) => value * 0.8 + 0.2);
    expect(contrast(onWhite, [1, 1, 1])).toBeGreaterThanOrEqual(4.5);
  });
}

// The icons are made by hand; `npm run card` and `npm run shots` make the other pictures.
test.each([
  ["icon.svg", ["brand"]],
  // In the palette of the picture.
  ["apple-touch-icon.png", ["brand", "saffron", "cover-end"]],
])("%s has the colours of the page", async (name, used) => {
  const file = await readFile(`${root}/public/${name}`);
  const missing = used.filter((token) => {
    const colour = schemes.light[token];
    return !colour || !(file.includes(`#${colour}`) || file.includes(colour, 0, "hex"));
  });
  expect(missing).toEqual([]);
});
