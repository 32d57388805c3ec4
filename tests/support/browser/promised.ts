import type { Content } from "#tests/support/owned-site.ts";

export const hourMs = 60 * 60 * 1000;

/** Where it is noon, so that no test runs over midnight. Etc/GMT-3 is three hours ahead. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

/** At work all day: each point of a star is an hour. */
export const promised: Content = {
  timeZone: noonZone(),
  answerTime: "خلال يوم عمل",
  promise: {
    hours: 8,
    days: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
    from: "00:00",
    to: "23:59",
  },
};
