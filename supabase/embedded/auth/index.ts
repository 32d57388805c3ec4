import { Hono } from "hono";
import { createBackground } from "./background.ts";
import type { AuthContext, AuthRequest } from "./context.ts";
import { AuthError, errorName, errorResponse } from "./errors.ts";
import { type Limits, loggedLimits } from "./limits.ts";
import { challenge, enrol, unenrol } from "./routes/factors.ts";
import { logout } from "./routes/logout.ts";
import { requestMail } from "./routes/mails.ts";
import { signup } from "./routes/signup.ts";
import { token } from "./routes/token.ts";
import { getUser, putUser } from "./routes/user.ts";
import { verifyFactor } from "./routes/verify-factor.ts";
import { verify } from "./routes/verify.ts";
import { createSecrets } from "./secrets.ts";
import { sweep } from "./sweep.ts";

type AuthOptions = Omit<AuthContext, "secrets" | "limits" | "background"> & {
  limits: Limits;
};

interface Auth {
  /** Answers a call below /auth/v1. */
  fetch(request: Request): Promise<Response>;
  /** Deletes a batch of expired rows. Returns how many. */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

type Handler = (context: AuthContext, c: AuthRequest) => Response | Promise<Response>;

/** Creates the part of Supabase Auth that the site uses. */
export function createAuth(options: AuthOptions): Auth {
  const context: AuthContext = {
    ...options,
    secrets: createSecrets(options.keys),
    limits: loggedLimits(options.limits, options.log),
    background: createBackground(options.log),
  };
  const run = (handler: Handler) => (c: AuthRequest) => handler(context, c);

  const app = new Hono()
    .basePath("/auth/v1")
    .get("/.well-known/jwks.json", (c) => {
      c.header("Cache-Control", "public, max-age=600");
      return c.json({ keys: [options.keys.signing.publicJwk] });
    })
    .post("/signup", run(signup))
    .post("/token", run(token))
    .post("/logout", run(logout))
    .get("/user", run(getUser))
    .put("/user", run(putUser))
    .post("/verify", run(verify))
    .post("/recover", run(requestMail("recovery")))
    .post("/resend", run(requestMail("confirmation")))
    .post("/otp", run(requestMail("magic_link")))
    .post("/factors", run(enrol))
    .post("/factors/:id/challenge", run(challenge))
    .post("/factors/:id/verify", run(verifyFactor))
    .delete("/factors/:id", run(unenrol));
  app.onError((error) => {
    if (error instanceof AuthError) {
      return errorResponse(error);
    }
    options.log.often("error", "auth: unexpected failure", { error: errorName(error) });
    return errorResponse(new AuthError(500, "unexpected_failure", "Unexpected failure"));
  });

  return {
    fetch: async (request) => app.fetch(request),
    sweep: () => sweep(context),
    close: context.background.close,
  };
}
