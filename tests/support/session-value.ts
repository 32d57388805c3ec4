/** The session that a session cookie's value holds, as the site writes it. */
export function sessionOf(value: string): {
  access_token: string;
  refresh_token: string;
  expires_at: number;
} {
  return JSON.parse(decodeURIComponent(value));
}
