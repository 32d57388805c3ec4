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

/** What went wrong with a request that no page answers. */
export interface Refusal {
  status: number;
  /** Where the visitor can go on. */
  back: string;
  /** Of what was typed, the fields that are no secrets. */
  kept: Record<string, string>;
}

export const refusalContext = createContext<Refusal | null>(null);

/** Whether answering failed in a way that no page expects. */
export const faultContext = createContext(false);

/** Who asks: the real client address, proxies already resolved. */
export const visitorContext = createContext<{ address: string }>();
