/** SVG paths, 24 by 24, for `Icon`. */
export const icons = {
  home: "M4 11.5 12 4.5l8 7M6 10v9.5h12V10",
  account: "M12 12.3a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.7 20.3c.9-3.8 3.8-5.6 7.3-5.6s6.4 1.8 7.3 5.6",
  out: "M10 4H5.5v16H10M10 12h10M16.5 8.5 20 12l-3.5 3.5",
  keys: "M3.5 6.5h17v11h-17zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1.5 2.5h3L15 13h5",
  waiting: "M10 7 4.5 12 10 17M5 12h8.5c3.5 0 5.5 1.8 6 5.5",
  archive: "M4 5h16v4H4zM5.5 9v10.5h13V9M10 13h4",
  spam: "M6 21V4h11l-2 4 2 4H6",
  trash: "M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7",
  check: "M5 12.6l4.6 4.6L19 7.6",
  chat: "M4 20l1.4-4A8 8 0 1 1 8.4 19zM9 8.6c0 3.4 3 6.4 6.4 6.4l.8-1.7-2-1.1-.9.8c-1-.4-2-1.4-2.4-2.4l.8-.9-1.1-2z",
  mail: "M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.2 16.2 21 21",
  note: "M5 4h14v10l-6 6H5zM19 14h-6v6",
  /** They point to the start and to the end of a line, which are right and left. */
  start: "m9 6 6 6-6 6",
  end: "m15 6-6 6 6 6",
  up: "m6 15 6-6 6 6",
  down: "m6 9 6 6 6-6",
  close: "M6 6l12 12M18 6 6 18",
} as const;

export type IconName = keyof typeof icons;
