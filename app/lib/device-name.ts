interface Known {
  pattern: RegExp;
  name: string;
  /** Its name in the site's agent, which is a word that no browser has. */
  word: string;
}

// The order matters: most browsers also contain the names of later ones.
const browsers: readonly Known[] = [
  { pattern: /\bEdgA?\//, name: "Edge", word: "app-ed" },
  { pattern: /\bOPR\//, name: "Opera", word: "app-op" },
  { pattern: /\bSamsungBrowser\//, name: "Samsung Internet", word: "app-si" },
  { pattern: /\b(Firefox|FxiOS)\//, name: "Firefox", word: "app-fx" },
  { pattern: /\b(Chrome|CriOS|HeadlessChrome)\//, name: "Chrome", word: "app-ch" },
  { pattern: /\bSafari\//, name: "Safari", word: "app-sa" },
];

const systems: readonly Known[] = [
  { pattern: /\bAndroid\b/, name: "Android", word: "on-an" },
  { pattern: /\biPhone\b/, name: "iPhone", word: "on-ip" },
  { pattern: /\biPad\b/, name: "iPad", word: "on-id" },
  { pattern: /\bCrOS\b/, name: "ChromeOS", word: "on-co" },
  { pattern: /\bMac OS X\b|\bMacintosh\b/, name: "macOS", word: "on-ma" },
  { pattern: /\bWindows\b/, name: "Windows", word: "on-wi" },
  { pattern: /\bLinux\b/, name: "Linux", word: "on-li" },
];

/**
 * The User-Agent of the site's calls for a visitor, such as "Tawasul app-ch on-wi": hosted Supabase
 * refuses browsers' agents together with a secret key. Nothing of the visitor's own header is in it.
 */
export function siteAgent(userAgent: string | null): string {
  const find = (known: readonly Known[]) =>
    known.find(({ pattern }) => pattern.test(userAgent ?? ""))?.word;
  return ["Tawasul", find(browsers), find(systems)].filter((word) => word !== undefined).join(" ");
}

/** Returns "browser · system" of a stored agent of the site, or undefined if it has neither. */
export function deviceName(agent: string | null): string | undefined {
  const words = agent?.split(" ") ?? [];
  const find = (known: readonly Known[]) => known.find(({ word }) => words.includes(word))?.name;
  const parts = [find(browsers), find(systems)].filter((name) => name !== undefined);
  return parts.length > 0 ? parts.join(" · ") : undefined;
}
