import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";
import type { JWK } from "jose";
import { z } from "zod";

import { writeDurably } from "./engine/durable-file.ts";
import { reason, StartError } from "./engine/start-error.ts";

export type Keys = {
  signing: { kid: string; privateKey: CryptoKey; publicKey: CryptoKey; publicJwk: JWK };
  /** `sb_publishable_…`: may be given to browsers. */
  publishableKey: string;
  /** `sb_secret_…`: passes over row level security. */
  secretKey: string;
  cookieSecret: string;
  /** HS256, for handing verified claims to the REST layer inside this process. */
  internalJwtSecret: string;
};

const KeyFile = z.strictObject({
  signing: z.strictObject({
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    x: z.string(),
    y: z.string(),
    d: z.string(),
    kid: z.string(),
  }),
  publishableKey: z.string().startsWith("sb_publishable_"),
  secretKey: z.string().startsWith("sb_secret_"),
  cookieSecret: z.string().min(32),
  internalJwtSecret: z.string().min(32),
});
type KeyFile = z.infer<typeof KeyFile>;

/**
 * Reads the site's keys from `keys.json` in the data folder, or makes them at first start
 * (mode 600). Fails with StartError when the file cannot be read or is damaged: new keys
 * would sign everybody out and must be the owner's decision.
 */
export async function loadKeys(dataDir: string): Promise<Keys> {
  const path = join(dataDir, "keys.json");
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new StartError(`The key file ${path} cannot be read: ${reason(error)}`);
    text = JSON.stringify(await makeKeyFile(), undefined, 2);
    await writeDurably(path, text);
  }
  return importKeys(parseKeyFile(path, text));
}

async function makeKeyFile(): Promise<KeyFile> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return KeyFile.parse({
    signing: { ...jwk, kid: await calculateJwkThumbprint(jwk) },
    publishableKey: `sb_publishable_${randomText()}`,
    secretKey: `sb_secret_${randomText()}`,
    cookieSecret: randomText(),
    internalJwtSecret: randomText(),
  });
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}

function parseKeyFile(path: string, text: string): KeyFile {
  try {
    return KeyFile.parse(JSON.parse(text));
  } catch {
    throw new StartError(
      `The key file ${path} is damaged; restore it from a backup, or delete it to get new keys, which signs everybody out.`,
    );
  }
}

async function importKeys({ signing, ...texts }: KeyFile): Promise<Keys> {
  const { d: _secret, kid, ...point } = signing;
  const publicJwk: JWK = { ...point, kid, alg: "ES256", use: "sig", key_ops: ["verify"] };
  return {
    ...texts,
    signing: {
      kid,
      privateKey: (await importJWK(signing, "ES256")) as CryptoKey,
      publicKey: (await importJWK({ ...point }, "ES256")) as CryptoKey,
      publicJwk,
    },
  };
}
