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
  refused: "لم يقبل الموقع هذا الطلب.",
  // It may be an error of the scripts or the site, or of fetch: both may be a TypeError.
  fault: "تعذّر فتح هذه الصفحة. أعد المحاولة بعد قليل.",
  away: unreachable,
};

export function UnexpectedError({ text, cause }: Props) {
  return (
    <main lang="en" dir="ltr" className="grid min-h-svh place-content-center gap-4 p-6 text-center">
      <title>Unexpected Application Error!</title>
      {cause !== "refused" && <ReadAgain isAway={cause === "away"} />}
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

/**
 * Reads again when the user is back, or until the site answers. The document of an error has no scripts.
 */
function ReadAgain({ isAway }: { isAway: boolean }) {
  const isHidden = useIsHidden();
  useWakeUps(useReadAgain({ isMissing: isAway && !isHidden }));
  return useHydrated() || !isAway ? null : <meta httpEquiv="refresh" content="5" />;
}
