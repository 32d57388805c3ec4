import { createContext, type RouterContextProvider } from "react-router";
import type { Client, Site } from "#app/site-contract.server.ts";

export type RouterContext = Readonly<RouterContextProvider>;

export const siteContext = createContext<Site>();

/** Who sent the request, and the form in it, unless a script sent it: its page stays open. */
export interface Visitor extends Client {
  form?: { path: string; fields: URLSearchParams };
}

export const visitorContext = createContext<Visitor>();
