import { notCovered, RestError } from "#embedded/rest/errors.ts";

/** The header `Prefer` (RFC 7240); undefined for absent preferences. */
export interface Preferences {
  resolution: "merge-duplicates" | "ignore-duplicates" | undefined;
  missing: "default" | "null" | undefined;
  return: "minimal" | "headers-only" | "representation" | undefined;
  count: "exact" | undefined;
  handling: "strict" | "lenient" | undefined;
  maxAffected: number | undefined;
}

const known = {
  resolution: ["merge-duplicates", "ignore-duplicates"],
  missing: ["default", "null"],
  return: ["minimal", "headers-only", "representation"],
  count: ["exact", "planned", "estimated"],
  handling: ["strict", "lenient"],
  // Known but not applied, as on a hosted project.
  tx: ["commit", "rollback"],
} as const;

/**
 * Parses `Prefer`; the first of each kind counts. Throws PGRST122 for unknown preferences under
 * `handling=strict`, and PGRST127 for estimated counts, which would include hidden rows.
 */
export function readPreferences(prefer: string | null): Preferences {
  const parts = (prefer ?? "").split(",").map((part) => part.trim());
  const choose = <Value extends string>(name: string, values: readonly Value[]) =>
    parts.flatMap((part) => values.filter((value) => part === `${name}=${value}`)).at(0);
  const handling = choose("handling", known.handling);
  const count = choose("count", known.count);
  const unknown = parts.filter((part) => part !== "" && !isKnown(part));
  if (handling === "strict" && unknown.length > 0) {
    throw new RestError(400, {
      code: "PGRST122",
      message: "Invalid preferences given with handling=strict",
      details: `Invalid preferences: ${unknown.join(", ")}`,
    });
  }
  if (count !== undefined && count !== "exact") {
    throw notCovered(`count=${count}`);
  }
  const affected = parts.find((part) => maxAffected.test(part));
  return {
    resolution: choose("resolution", known.resolution),
    missing: choose("missing", known.missing),
    return: choose("return", known.return),
    count,
    handling,
    maxAffected:
      handling === "strict" && affected !== undefined
        ? Number(affected.slice("max-affected=".length))
        : undefined,
  };
}

const maxAffected = /^max-affected=\d{1,9}$/;

function isKnown(part: string): boolean {
  return (
    maxAffected.test(part) ||
    Object.entries(known).some(([name, values]) =>
      values.some((value) => part === `${name}=${value}`),
    )
  );
}

const written: Record<keyof Preferences, string> = {
  resolution: "resolution",
  missing: "missing",
  return: "return",
  count: "count",
  handling: "handling",
  maxAffected: "max-affected",
};

/** Returns the header Preference-Applied: the `applicable` preferences that the request set. */
export function appliedPreferences(
  preferences: Preferences,
  applicable: readonly (keyof Preferences)[],
): string {
  return applicable
    .filter((name) => preferences[name] !== undefined)
    .map((name) => `${written[name]}=${preferences[name]}`)
    .join(", ");
}
