import { limitReached, log } from "#app/lib/log.server.ts";

const captcha =
  "The Supabase at SUPABASE_URL asks for a captcha, which this site cannot show: turn it off (Authentication, Attack Protection), or nobody can sign in.";

/** Returns a function that logs what the owner should know of the authentication's answers. */
export function refusalLog(): (status: number, body: ArrayBuffer | null) => void {
  let isCaptchaLogged = false;
  return (status, body) => {
    if (status === 429) {
      limitReached("supabase-auth");
    }
    const isCaptcha = status === 400 && body !== null && codeOf(body) === "captcha_failed";
    if (isCaptcha && !isCaptchaLogged) {
      isCaptchaLogged = true;
      log.error(captcha);
    }
  };
}

function codeOf(body: ArrayBuffer): unknown {
  try {
    const error: unknown = JSON.parse(Buffer.from(body).toString());
    return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  } catch {
    // A gateway's answer, not GoTrue's.
    return undefined;
  }
}
