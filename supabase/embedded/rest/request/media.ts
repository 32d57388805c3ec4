import { RestError } from "#embedded/rest/errors.ts";

/** The format of a response body. */
export interface Media {
  form: "array" | "object" | "csv";
  stripsNulls: boolean;
  contentType: string;
}

const json = "application/json; charset=utf-8";
const array: Media = { form: "array", stripsNulls: false, contentType: json };
const object: Media = {
  form: "object",
  stripsNulls: false,
  contentType: "application/vnd.pgrst.object+json; charset=utf-8",
};
const csv: Media = { form: "csv", stripsNulls: false, contentType: "text/csv; charset=utf-8" };

const medias: ReadonlyMap<string, Media> = new Map([
  ["*/*", array],
  ["application/*", array],
  ["application/json", array],
  ["application/vnd.pgrst.array", array],
  ["application/vnd.pgrst.array+json", array],
  ["application/vnd.pgrst.object", object],
  ["application/vnd.pgrst.object+json", object],
  ["text/csv", csv],
]);

/** Negotiates by `Accept` (RFC 9110, section 12.5.1). Throws 406 if no type matches. */
export function readAccept(accept: string | null): Media {
  if (accept === null || accept.trim() === "") {
    return array;
  }
  const wanted = accept.split(",").map((entry) => {
    const [type = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return { type, parameters, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  for (const { type, parameters, quality } of wanted.toSorted((a, b) => b.quality - a.quality)) {
    const media = medias.get(type);
    if (media && quality > 0) {
      return parameters.includes("nulls=stripped") ? withoutNulls(type, media) : media;
    }
  }
  throw new RestError(406, {
    code: "PGRST107",
    message: `None of these media types are available: ${wanted.map(({ type }) => type).join(", ")}`,
  });
}

function withoutNulls(type: string, media: Media): Media {
  if (!type.startsWith("application/vnd.pgrst.")) {
    return media;
  }
  const name = media.form === "object" ? "object" : "array";
  return {
    ...media,
    stripsNulls: true,
    contentType: `application/vnd.pgrst.${name}+json;nulls=stripped; charset=utf-8`,
  };
}
