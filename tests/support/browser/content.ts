import { owner } from "#app/content/owner.ts";
import { shown } from "#app/content/shown.ts";

// What tests of the works need. Where an owner's content has none of it, there is nothing to test.
const works = shown(owner.works);
export const pictured = works.filter(({ picture }) => picture !== undefined);
/** Whether the page has more than the shipped one, for which its budgets are. */
export const isLarge = [owner.channels, works, owner.services].flat().length > 9;
export const explained = works.filter(({ why = [] }) => why.length > 0);
