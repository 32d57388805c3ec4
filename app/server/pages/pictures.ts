import { Hono } from "hono";
import type { PictureFile } from "#app/content/pictures.server.ts";

/** Serves the pictures of the content, which are kept forever: their addresses change with them. */
export function pictureFiles(pictures: Iterable<PictureFile>): Hono {
  const bySrc = new Map(Array.from(pictures, (picture) => [picture.src, picture]));
  return new Hono().get("/pictures/:file", (c, next) => {
    const picture = bySrc.get(c.req.path);
    return picture
      ? c.body(picture.bytes, 200, {
          "Content-Type": picture.type,
          "Cache-Control": "public, max-age=31536000, immutable",
        })
      : next();
  });
}
