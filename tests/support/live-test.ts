// oxlint-disable no-empty-pattern
import { test as base } from "vitest";
import { newAddress } from "./address.ts";
import { type LiveTab, openTab } from "./live.ts";
import type { RunningSite } from "./site.ts";

type Options = Partial<Parameters<typeof openTab>[1]>;

/** A test with sockets that are closed after it. */
export const test = base
  .extend("open", ({}, { onCleanup }) => {
    const tabs: LiveTab[] = [];
    onCleanup(() => {
      for (const { socket } of tabs) {
        socket.terminate();
      }
    });
    return (site: RunningSite, cookie: string, options: Options = {}) => {
      const tab = openTab(site, { address: newAddress(), ...options, cookie });
      tabs.push(tab);
      return tab;
    };
  })
  /** Opens and closes a socket. Returns the status of the handshake. */
  .extend("statusOf", ({ open }) => async (...args: Parameters<typeof open>) => {
    const tab = open(...args);
    const status = await tab.status;
    tab.socket.terminate();
    return status;
  });
