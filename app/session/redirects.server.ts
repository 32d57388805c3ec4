import { redirectDocument } from "react-router";
import { redirectWithToast } from "remix-toast";

/**
 * Redirects with a toast to a page that scripts load as a document, because it has no scripts, or the data of
 * another account.
 */
export async function documentWithToast(
  path: string,
  toast: Parameters<typeof redirectWithToast>[1],
): Promise<Response> {
  const { headers } = await redirectWithToast(path, toast);
  return redirectDocument(path, { headers });
}
