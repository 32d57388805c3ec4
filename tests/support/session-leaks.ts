import type { Visitor } from "./visitor.ts";

/** In the name of a message, which only a session that may read the board shows. */
export const secretName = "زائرة لا يعرفها غيري";

/** What a visitor gets that only a session should open, or that fails; empty for no session. */
export async function opened(visitor: Visitor): Promise<string[]> {
  const found: string[] = [];
  for (const path of ["/admin", "/admin/claim", "/admin?box=spam", "/account"]) {
    const { status, headers, text } = await visitor.get(path);
    const isSentAway = status === 302 && /^\/auth(\?|$)/.test(headers.location ?? "");
    if (!isSentAway || text.includes(secretName)) {
      found.push(`${path} (${status})`);
    }
  }
  for (const path of ["/admin.data", "/admin/claim.data"]) {
    const { text } = await visitor.get(path);
    if (new RegExp(`${secretName}|sb_|eyJ`).test(text)) {
      found.push(path);
    }
  }
  // The pages that need no session work as if there were none.
  for (const path of ["/", "/auth"]) {
    if ((await visitor.get(path)).status !== 200) {
      found.push(`${path} fails`);
    }
  }
  return found;
}
