import type { MouseEvent } from "react";
import { Link, type LinkProps, useLocation } from "react-router";
import { moveTo, type Open } from "./use-open.ts";

/** A link that opens a message or `today`. With scripts it makes no request. */
export function OpenLink({ id, ...props }: Omit<LinkProps, "to"> & { id: string }) {
  return <Link discover="none" {...moveTo(useLocation(), id)} {...props} />;
}

const opensElsewhere = (event: MouseEvent) => event.ctrlKey || event.metaKey || event.shiftKey;

/** A link to the list. It goes back in the history if the list is there, which is where it was then. */
export function CloseLink({ open, ...props }: Omit<LinkProps, "to"> & { open: Open }) {
  const close = (event: MouseEvent) => {
    if (open.fromList && !opensElsewhere(event)) {
      event.preventDefault();
      open.close();
    }
  };
  return <Link {...moveTo(useLocation())} onClick={close} {...props} />;
}
