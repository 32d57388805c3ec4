import { readFileSync } from "node:fs";
import { owner } from "./owner.ts";

const tokens = [
  "ground",
  "surface",
  "sunk",
  "ink",
  "muted",
  "line",
  "brand",
  "on-brand",
  "tint",
  "saffron",
  "saffron-text",
  "cover",
  "on-cover",
] as const;

/** What mails show of the site: the owner's name, and the colours of app.css in both themes. */
export const brand = readBrand();

function readBrand() {
  const css = readFileSync(new URL("../app.css", import.meta.url), "utf8");
  // Colours that the dark theme does not name are those of the light one.
  const [light = "", dark = ""] = css.split("prefers-color-scheme: dark");
  return { name: owner.name, light: coloursOf(light), dark: coloursOf(dark + light) };
}

function coloursOf(css: string) {
  const entries = tokens.map((token) => {
    const colour = new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(css)?.[1];
    if (colour === undefined) {
      throw new Error(`app.css has no colour --${token} of six hexadecimal digits`);
    }
    return [token, colour];
  });
  return Object.fromEntries(entries) as Record<(typeof tokens)[number], string>;
}
