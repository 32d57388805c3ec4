import { href } from "react-router";
import { unreachable } from "#app/hooks/keep-form.ts";
import { useIsHidden, useReadAgain, useWakeUps } from "#app/hooks/read-again.ts";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import { buttonClass } from "./button.ts";

interface Props {
  /** The error's message, never its stack. */
  text: string;
  cause: keyof typeof causes;
}

const causes = {
  request: "لم يقبل الموقع هذا الطلب.",
  site: "حدث خلل في الموقع. أعد المحاولة بعد قليل.",
  connection: unreachable,
};

export function UnexpectedError({ text, cause }: Props) {
  return (
    <main lang="en" dir="ltr" className="grid min-h-svh place-content-center gap-4 p-6 text-center">
      <title>Unexpected Application Error!</title>
      {cause === "connection" && <ReadAgain />}
      <h1 className="text-2xl font-bold">Unexpected Application Error!</h1>
      <p role="alert" className="wrap-anywhere text-danger">
        {text}
      </p>
      <p lang="ar" dir="rtl">
        {causes[cause]}
      </p>
      <a href={href("/")} className={buttonClass("quiet", "justify-self-center")}>
        Return to Home
      </a>
    </main>
  );
}

/** Until the page is back. The document of an error has no scripts. */
function ReadAgain() {
  const isHidden = useIsHidden();
  useWakeUps(useReadAgain({ isMissing: !isHidden }));
  return useHydrated() ? null : <meta httpEquiv="refresh" content="5" />;
}
