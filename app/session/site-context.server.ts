import { createContext, type RouterContextProvider } from "react-router";
import type { Sender, LiveSession, Site } from "#app/site-contract.server.ts";

export type RouterContext = Readonly<RouterContextProvider>;

export const siteContext = createContext<Site>();

/** Who sent the request, and the form in it, unless a script sent it: its page stays open. */
export interface Visitor extends Sender {
  form?: {
    path: string;
    /** Where the site's page is, if the form came from another address. */
    origin?: string;
    fields: URLSearchParams;
  };
  /** Takes the session of the handshake of a board's socket, if it may listen. */
  admit?: (session: LiveSession) => void;
}

export const visitorContext = createContext<Visitor>();
