import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { addEmptyModule, fetchWhole } from "./document/react-router-internals.ts";

// If it were loaded at the click, a broken connection would make React Router reload the page.
addEmptyModule("routes/sign-out");
fetchWhole();

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
