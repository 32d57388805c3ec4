// oxlint-disable no-empty-pattern
import { test as base } from "vitest";
import { openApi } from "./api.ts";
import { type RunningSite, startSite } from "./site.ts";

/** A test with one site and its API per file. */
export const test = base
  .extend("site", { scope: "file" }, async ({}, { onCleanup }) => {
    const site = await startSite();
    onCleanup(() => site.stop());
    return site;
  })
  .extend("api", { scope: "file" }, ({ site }) => openApi(site))
  /** Starts another site, stopped after the test. */
  .extend("start", async ({}, { onCleanup }) => {
    const sites: RunningSite[] = [];
    onCleanup(async () => {
      for (const site of sites) {
        await site.stop();
      }
    });
    return async (env: Record<string, string> = {}) => {
      const site = await startSite(env);
      sites.push(site);
      return { site, api: await openApi(site) };
    };
  });
