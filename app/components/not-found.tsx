import { href } from "react-router";
import { buttonClass } from "./button.ts";

/** The only script of the pages without scripts. The specification asks for it. */
export const logScript = `console.error("404: no page at",location.pathname)`;

export function NotFound() {
  return (
    <main
      lang="en"
      dir="ltr"
      className="cover grid min-h-svh place-content-center justify-items-center gap-6 p-6 text-center"
    >
      <title>404 · Page not found</title>
      <meta name="description" content="There is no page at this address." />
      <p aria-hidden="true" className="text-5xl font-bold text-on-cover-2">
        404
      </p>
      <h1 className="text-3xl font-bold">Oops! Page not found</h1>
      <a href={href("/")} className={buttonClass("quiet")}>
        Return to Home
      </a>
      <script dangerouslySetInnerHTML={{ __html: logScript }} />
    </main>
  );
}
