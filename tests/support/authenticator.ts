import { TOTP } from "otpauth";
import type { RunningSite } from "./site.ts";
import { withSuperuser } from "./superuser.ts";

const period = 30_000;

/** An authenticator app that never returns a code twice, because the site accepts each once. */
export class Authenticator {
  readonly #totp: TOTP;
  #last = 0;

  /** @param secret in groups, as the page shows it */
  constructor(secret: string) {
    this.#totp = new TOTP({ secret: secret.replaceAll(" ", "") });
  }

  /**
   * Returns an unused code, of the current or the next 30 seconds: one of the previous 30 could
   * expire before it is sent. Throws at the third within 30 seconds.
   */
  code(): string {
    const now = Math.floor(Date.now() / period);
    this.#last = Math.max(now, this.#last + 1);
    if (this.#last > now + 1) {
      throw new Error("No unused code is valid now: the site must first forget the last one.");
    }
    return this.#totp.generate({ timestamp: this.#last * period });
  }

  /** Makes a site forget which codes were used, in place of waiting for new ones. */
  async reuse({ dataDir }: Pick<RunningSite, "dataDir">): Promise<void> {
    this.#last = 0;
    await withSuperuser(
      dataDir,
      (sql) => sql`update auth.mfa_factors set last_accepted_step = null`,
    );
  }
}
