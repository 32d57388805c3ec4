import { createContext } from "react-router";
import type { Backend } from "./backend.ts";

export interface Site {
  backend: Backend;
  /** The address that people use, without a path. */
  url: URL;
  /** Whether cookies are Secure and carry the `__Host-` prefix. */
  secure: boolean;
}

/** What stays the same for every request. */
export const siteContext = createContext<Site>();

/** Who asks: the real client address, proxies already resolved. */
export const visitorContext = createContext<{ address: string }>();
