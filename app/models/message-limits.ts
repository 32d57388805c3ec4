export interface NewMessage {
  name: string;
  email: string;
  message: string;
}

/** Limits in UTF-16 units; the table's, in characters, are no tighter. */
export const limits = { name: 100, email: 254, message: 5000 };
