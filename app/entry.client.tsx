import { startTransition, StrictMode } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";

// The route's module is empty in the browser. If it were loaded at the click, a broken connection
// would make React Router reload the page.
Object.assign(Reflect.get(window, "__reactRouterRouteModules"), { "routes/sign-out": {} });

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
