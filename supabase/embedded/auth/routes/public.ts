import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";

const noProviders = Object.fromEntries(
  [
    "anonymous_users",
    "apple",
    "azure",
    "bitbucket",
    "discord",
    "facebook",
    "snapchat",
    "figma",
    "fly",
    "github",
    "gitlab",
    "google",
    "keycloak",
    "kakao",
    "linkedin",
    "linkedin_oidc",
    "notion",
    "spotify",
    "slack",
    "slack_oidc",
    "workos",
    "twitch",
    "twitter",
    "phone",
    "zoom",
  ].map((name) => [name, false]),
);

export function settings(context: AuthContext, c: AuthRequest): Response {
  return c.json({
    external: { ...noProviders, email: true },
    disable_signup: false,
    mailer_autoconfirm: !context.settings.confirmEmail,
    phone_autoconfirm: false,
    sms_provider: "",
    saml_enabled: false,
    saml_private_key_next_configured: false,
    passkeys_enabled: false,
  });
}

export function health(_context: AuthContext, c: AuthRequest): Response {
  return c.json({
    version: "embedded",
    name: "GoTrue",
    description: "GoTrue is a user registration and authentication API",
  });
}

export function jwks(context: AuthContext, c: AuthRequest): Response {
  const { kid, publicJwk } = context.keys.signing;
  const { kty, crv, x, y } = publicJwk;
  c.header("Cache-Control", "public, max-age=600");
  return c.json({
    keys: [{ kty, crv, x, y, kid, alg: "ES256", use: "sig", key_ops: ["verify"] }],
  });
}
