import { type ReactNode, startTransition, StrictMode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { keepTyped } from "./hooks/keep-typed.ts";

// All browsers that vite.config.ts names have these. In an older one the page without scripts stays, and it
// works.
if (!CSS.supports("selector(:dir(rtl):has(a:popover-open))")) {
  throw new Error("This browser is too old for the scripts of this page, which works without.");
}

const restoreTyped = keepTyped();

/** Runs after React has taken over the page, or has rendered it again. */
function Restored({ children }: { children: ReactNode }) {
  useEffect(restoreTyped, []);
  return children;
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <Restored>
        <HydratedRouter />
      </Restored>
    </StrictMode>,
    { onRecoverableError: (error) => console.warn(error) },
  );
});
