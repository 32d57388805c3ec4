import type { Work } from "./execute.ts";
import type { Media } from "./request/media.ts";
import type { Pair } from "./request/pairs.ts";
import type { Preferences } from "./request/preferences.ts";

/** A request whose headers are read. */
export interface ApiRequest {
  request: Request;
  /** The query, without the key. */
  pairs: Pair[];
  preferences: Preferences;
  media: Media;
  run: (work: Work) => Promise<Response>;
}

/** Whether the rows of an answer can be a reason to refuse it. */
export function mayRefuse({ preferences, media }: ApiRequest): boolean {
  return (
    media.form === "object" ||
    preferences.return === "representation" ||
    preferences.count !== undefined ||
    preferences.maxAffected !== undefined
  );
}
