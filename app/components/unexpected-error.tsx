import { href } from "react-router";
import { buttonClass } from "./button.ts";

/** The last resort. `text` is the error's message; a stack stays on the server. */
export function UnexpectedError({ text }: { text: string }) {
  return (
    <main lang="en" dir="ltr" className="grid min-h-svh place-content-center gap-4 p-6 text-center">
      <title>Unexpected Application Error!</title>
      <h1 className="text-2xl font-bold">Unexpected Application Error!</h1>
      <p role="alert" className="wrap-anywhere text-danger">
        {text}
      </p>
      <a href={href("/")} className={buttonClass("quiet", "justify-self-center")}>
        Return to Home
      </a>
    </main>
  );
}
