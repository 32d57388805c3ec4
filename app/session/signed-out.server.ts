/** What a sign-out says on the page that it leads to. */
export const signedOut = { type: "success", message: "تم تسجيل الخروج" } as const;

/**
 * Clear-Site-Data of that page: ends the drafts of all tabs. Cookies stay. Not of the redirect, where
 * WebKit ignores it (decision 030).
 */
export const clearsStorage = '"storage"';
