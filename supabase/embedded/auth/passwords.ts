import { hash, verify } from "@node-rs/argon2";

// OWASP Password Storage Cheat Sheet: argon2id (the package's default kind), 19 MiB, t=2, p=1.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A PHC string (`$argon2id$v=19$…`), which GoTrue reads too. Runs off the main thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

let nobodysHash: Promise<string> | undefined;

/**
 * Whether the password belongs to the hash. Without a hash (no such account, or one without a
 * password) it is false after the same work, so that the time tells nothing.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored?.startsWith("$argon2")) return verify(stored, password);
  nobodysHash ??= hashPassword(crypto.randomUUID());
  await verify(await nobodysHash, password);
  return false;
}
