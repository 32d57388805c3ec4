interface FolderError {
  fault: string;
  message: string;
}

const hints: Record<string, string> = {
  foreign: " Name an empty one.",
  empty: " If your site has another folder, name it in .env or before the command.",
};

/** The sentence for a data folder that cannot be used, with the setting that names it. */
export const dataDirFault = ({ fault, message }: FolderError): string =>
  `DATA_DIR: ${message}${hints[fault] ?? ""}`;
