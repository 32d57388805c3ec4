import { href } from "react-router";
import { buttonClass } from "./button.ts";

/** An inline script, so that the path is also logged if the framework never loads. */
const logScript = `console.error("404: no page at",location.pathname)`;

export function NotFound() {
  return (
    <main lang="en" dir="ltr" className="grid min-h-svh place-content-center gap-6 p-6 text-center">
      <title>404 · Page not found</title>
      <meta name="description" content="There is no page at this address." />
      <p aria-hidden="true" className="cover mx-auto rounded-3xl px-[5vw] py-8 text-5xl font-bold">
        404
      </p>
      <h1 className="text-2xl font-bold">Oops! Page not found</h1>
      <a href={href("/")} className={buttonClass("primary", "justify-self-center")}>
        Return to Home
      </a>
      <script dangerouslySetInnerHTML={{ __html: logScript }} />
    </main>
  );
}
