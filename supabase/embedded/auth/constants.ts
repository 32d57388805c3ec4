// supabase/config.toml sets the same for hosted Supabase; tests of the site compare them.
export const accessTokenSeconds = 3600;
/** How long a used refresh token still returns the active one. */
export const refreshReuseSeconds = 10;
export const mailedTokenSeconds = 3600;
export const mailedCodeDigits = 8;
/** The minimum is in characters and the maximum in bytes of UTF-8, as in GoTrue. */
export const passwordLength = { min: 6, max: 72 };
export const maxFactors = 10;

/** A session ends if it is not refreshed for this long. The site's cookie has the same lifetime. */
export const sessionIdleSeconds = 30 * 86_400;
