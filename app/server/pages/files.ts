import { join } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import type { PictureFile } from "#app/content/pictures.server.ts";
import { pageHeaders } from "#app/server/http/headers.ts";
import { projectRoot } from "#app/server/settings.ts";

interface Bound {
  Bindings: HttpBindings;
}

const root = join(projectRoot, "build/client");

/** Serves the files of the build: those with a hash in their name forever, icons for an hour. */
export const builtFiles = (): Hono<Bound> =>
  new Hono<Bound>()
    .use(
      "/assets/*",
      serveStatic({
        root,
        precompressed: true,
        onFound(_path, c: Context<Bound>) {
          c.header("Cache-Control", "public, max-age=31536000, immutable");
          pageHeaders.forEach((name) => c.env.outgoing.removeHeader(name));
        },
      }),
    )
    .use(
      "/:icon{[\\w-]+\\.(ico|png|svg)}",
      serveStatic({
        root,
        onFound: (_path, c) => c.header("Cache-Control", "public, max-age=3600"),
      }),
    );

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
