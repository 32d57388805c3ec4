/** Decodes the session in a session cookie's value. */
export function sessionOf(value: string): {
  access_token: string;
  refresh_token: string;
  expires_at: number;
} {
  return JSON.parse(decodeURIComponent(value));
}
