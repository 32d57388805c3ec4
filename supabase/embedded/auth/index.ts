import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import type { Sql } from "postgres";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import type { Mailer } from "#embedded/mail/mailer.ts";
import { addressKey } from "#supabase/shared/address.ts";
import type { AuthContext, AuthEnv, AuthRequest } from "./context.ts";
import { AuthError, errorName, errorResponse } from "./errors.ts";
import { createLimits, type LimitName } from "./limits.ts";
import { createRedirectRule } from "./redirects.ts";
import { challenge, enrol, unenrol } from "./routes/factors.ts";
import { logout } from "./routes/logout.ts";
import { otp, reauthenticate, recover, resend } from "./routes/mails.ts";
import { health, jwks, settings } from "./routes/public.ts";
import { signup } from "./routes/signup.ts";
import { token } from "./routes/token.ts";
import { getUser, putUser } from "./routes/user.ts";
import { verifyFactor } from "./routes/verify-factor.ts";
import { verifyLink } from "./routes/verify-link.ts";
import { verify } from "./routes/verify.ts";
import { createSecrets } from "./secrets.ts";
import type { AuthSettings } from "./settings.ts";
import { startSweeper } from "./sweeper.ts";

export interface AuthOptions {
  db: Sql;
  keys: Keys;
  settings: AuthSettings;
  mailer: Mailer;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Log;
  siteUrl: string;
}

export interface Auth {
  fetch(request: Request, client: { address: string }): Promise<Response>;
  close(): Promise<void>;
}

type Handler = (context: AuthContext, c: AuthRequest) => Response | Promise<Response>;

const maxBodyBytes = 64 * 1024;

/** Serves /auth/v1 (CONTRACT.md). Throws TypeError for an invalid redirectAllowList. */
export function createAuth(options: AuthOptions): Auth {
  const context: AuthContext = {
    ...options,
    secrets: createSecrets(options.keys),
    limits: createLimits(options.settings.rateLimits, options.log),
    allowedRedirect: createRedirectRule(options.siteUrl, options.settings.redirectAllowList),
  };
  const run = (handler: Handler) => (c: AuthRequest) => handler(context, c);
  const limited = (name: LimitName, handler: Handler) => async (c: AuthRequest) => {
    await context.limits.take(name, addressKey(c.env.client.address));
    return handler(context, c);
  };

  const app = new Hono<AuthEnv>()
    .basePath("/auth/v1")
    .use(cors({ origin: "*", exposeHeaders: ["X-Supabase-Api-Version"], maxAge: 86_400 }))
    .use(bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge }))
    .get("/health", run(health))
    .get("/settings", run(settings))
    .get("/.well-known/jwks.json", run(jwks))
    .post("/signup", limited("signup", signup))
    .post("/token", limited("token", token))
    .post("/logout", limited("logout", logout))
    .get("/user", limited("user", getUser))
    .put("/user", limited("userUpdate", putUser))
    .get("/verify", limited("verify", verifyLink))
    .post("/verify", limited("verify", verify))
    .post("/recover", limited("recover", recover))
    .post("/resend", limited("resend", resend))
    .post("/otp", limited("otp", otp))
    .get("/reauthenticate", limited("reauthenticate", reauthenticate))
    .post("/factors", limited("factors", enrol))
    .post("/factors/:id/challenge", limited("factorChallenge", challenge))
    .post("/factors/:id/verify", limited("factorVerify", verifyFactor))
    .delete("/factors/:id", limited("factors", unenrol));
  app.notFound((c) => c.json({ message: "Not found" }, 404));
  app.onError((error, c) => {
    if (!(error instanceof AuthError)) {
      options.log.error("auth: unexpected failure", { error: errorName(error) });
    }
    return errorResponse(publicError(error), c.req.header("x-supabase-api-version"));
  });

  const stopSweeper = startSweeper(context);
  return {
    fetch: async (request, client) => app.fetch(request, { client }),
    close: stopSweeper,
  };
}

function tooLarge(): never {
  throw new AuthError(
    413,
    "request_entity_too_large",
    `Request body too large (max ${maxBodyBytes} bytes)`,
  );
}

function publicError(error: Error): AuthError {
  if (error instanceof AuthError) {
    return error;
  }
  return new AuthError(
    500,
    "unexpected_failure",
    "Unexpected failure, please check server logs for more information",
  );
}
