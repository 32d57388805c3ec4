import { type Mail, movableClock, noLimits } from "embedded-supabase/testing";
import { startTestServer, type TestOptions } from "./embedded-server.ts";

export {
  type Client,
  codeOf,
  enrol,
  enrolVerified,
  isSignedOut,
  mailNumber,
  newClient,
  newEmail,
  password,
  present,
  proved,
  send,
  signIn,
  signUp,
} from "embedded-supabase/testing";

export type AuthServer = Awaited<ReturnType<typeof startAuthServer>>;

/**
 * Starts the backend with a movable clock and a list of its mails with links, without limits of mails
 * and codes unless `more` has some.
 */
export async function startAuthServer(more: TestOptions = {}) {
  const clock = movableClock();
  const mails: Mail[] = [];
  const sendMail = (mail: Mail) => void mails.push(mail);
  const options = { limits: noLimits, sendMail, ...more, now: clock.now };
  return { ...(await startTestServer(options)), ...clock, mails };
}
