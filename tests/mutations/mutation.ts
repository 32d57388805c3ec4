/** Faults of one file that its nearest tests must find. */
export interface Mutated {
  file: string;
  /** The nearest tests: a fault that passes them has survived. */
  tests: string[];
  /** What is wrong then, and a text that is in the file once, with what takes its place. */
  faults: [what: string, find: string, replace: string][];
}

const migration = (name: string) => `supabase/migrations/${name}.sql`;

/** The files in which the functions stand that are in force. */
export const migrations = {
  limits: migration("20261126000100_limits"),
  attempts: migration("20261126000300_attempts"),
  owner: migration("20261126000500_owner"),
  counts: migration("20261126000600_counts"),
  messages: migration("20261126000800_messages"),
  boxes: migration("20261126000900_boxes"),
  search: migration("20261126001000_search"),
  inbox: migration("20261126001100_inbox"),
  outbox: migration("20261126001400_notifications"),
  sessions: migration("20261128000300_sessions"),
  absences: migration("20261128000600_absences"),
  notifications: migration("20261128000700_notifications"),
  changes: migration("20261128000800_second_press"),
};
