import { data } from "react-router";
import backups from "#documents/BACKUPS.md?raw";
import deploy from "#documents/DEPLOY.md?raw";
import type { Route } from "./+types/document.ts";

const documents = new Map([
  ["backups", backups],
  ["deploy", deploy],
]);

/** A document of this release for the owner, as text. */
export function loader({ params: { name } }: Route.LoaderArgs) {
  const text = documents.get(name);
  if (text === undefined) {
    throw data(null, { status: 404 });
  }
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "private, no-store",
      "X-Robots-Tag": "noindex",
    },
  });
}
