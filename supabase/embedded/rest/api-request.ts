import type { Work } from "./execute.ts";
import type { Media } from "./request/media.ts";
import type { Pair } from "./request/pairs.ts";
import type { Preferences } from "./request/preferences.ts";

/** A request with its query and headers parsed. */
export interface ApiRequest {
  request: Request;
  /** The parameters of the query, without `apikey`. */
  pairs: Pair[];
  preferences: Preferences;
  media: Media;
  run: (work: Work) => Promise<Response>;
}

/** Whether the result's rows can turn the response into an error. */
export function canFailOnRows({ preferences, media }: ApiRequest): boolean {
  return (
    media.form === "object" ||
    preferences.return === "representation" ||
    preferences.count !== undefined ||
    preferences.maxAffected !== undefined
  );
}
