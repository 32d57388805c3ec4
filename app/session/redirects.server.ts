import { redirectDocument } from "react-router";
import { redirectWithToast } from "remix-toast";

/**
 * Redirects with a toast to a page that scripts load as a document: it has none, or another account's
 * data.
 */
export async function documentWithToast(
  path: string,
  toast: Parameters<typeof redirectWithToast>[1],
): Promise<Response> {
  const { headers } = await redirectWithToast(path, toast);
  return redirectDocument(path, { headers });
}
