export interface NewMessage {
  name: string;
  email: string;
  message: string;
}

/** In UTF-16 units. The table counts characters, so it accepts every text within these limits. */
export const limits = { name: 100, email: 254, message: 5000 };
