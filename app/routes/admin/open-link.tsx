import { type MouseEvent, useCallback, useEffect, useRef } from "react";
import { Link, type LinkProps, useLocation } from "react-router";
import { moveTo, type Open } from "./use-open.ts";

/** A link that opens a message. With scripts it makes no request. */
export function OpenLink({ id, ...props }: Omit<LinkProps, "to"> & { id: string }) {
  return <Link discover="none" {...moveTo(useLocation(), id)} {...props} />;
}

/** Whether the browser opens a link in another tab or window. */
export const opensElsewhere = (event: MouseEvent) =>
  event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

/** A link to the list. It goes back in the history if the list is there, and so keeps the list's place. */
export function CloseLink({ open, ...props }: Omit<LinkProps, "to"> & { open: Open }) {
  const close = (event: MouseEvent) => {
    if (open.fromList && !opensElsewhere(event)) {
      event.preventDefault();
      open.close();
    }
  };
  return <Link {...moveTo(useLocation())} onClick={close} {...props} />;
}

/** The same function for all rows and renders: with a Link each, all rows would render at each step. */
export function useRowOpening({ open }: Open) {
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  return useCallback((event: MouseEvent, id: string) => {
    if (!opensElsewhere(event)) {
      event.preventDefault();
      latest.current(id);
    }
  }, []);
}
