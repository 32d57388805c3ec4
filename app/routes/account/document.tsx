import { data, href, type LinksFunction } from "react-router";
import { requireAccount } from "#app/session/guards.server.ts";
import backups from "#documents/BACKUPS.md";
import deploy from "#documents/DEPLOY.md";
import owner from "#documents/OWNER.ar.md";
import type { Route } from "./+types/document.ts";
import sheet from "./document.css?url";

interface Document {
  title: string;
  language: "ar" | "en";
  html: string;
}

const documents = new Map<string, Document>([
  ["owner", { title: "دليل صاحب الموقع", language: "ar", html: owner }],
  ["backups", { title: "BACKUPS", language: "en", html: backups }],
  ["deploy", { title: "DEPLOY", language: "en", html: deploy }],
]);

export const middleware = [requireAccount];

/** A document of this release for the owner. */
export function loader({ params: { name } }: Route.LoaderArgs) {
  const document = documents.get(name);
  if (document === undefined) {
    throw data(null, { status: 404 });
  }
  return document;
}

export const links: LinksFunction = () => [{ rel: "stylesheet", href: sheet }];

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function DocumentPage({ loaderData }: Route.ComponentProps) {
  const { language, html } = loaderData;
  return (
    <main className="mx-auto max-w-3xl p-4 py-8 sm:py-12">
      <nav>
        <a
          href={href("/account")}
          className="inline-flex min-h-11 items-center pb-4 text-brand underline"
        >
          العودة إلى حسابي
        </a>
      </nav>
      <section className="overflow-hidden rounded-3xl border border-line bg-surface raised">
        <div className="cover h-20 print:hidden" />
        <article
          lang={language}
          dir={language === "en" ? "ltr" : "rtl"}
          className="document p-5 sm:p-12"
          // The HTML is made of our own files during the build.
          dangerouslySetInnerHTML={{ __html: html }}
        />
      </section>
    </main>
  );
}
