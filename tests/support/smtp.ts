import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { decode, textPart } from "./mails.ts";

export interface SmtpMail {
  from: string;
  to: string;
  /** By lower-case name. */
  headers: Map<string, string>;
  source: string;
  /** The plain text part. */
  text: string;
}

export type Step = "greeting" | "AUTH" | "MAIL" | "RCPT" | "DATA" | "text";

/** A reply, no reply, a cut connection, a cut after the mail was accepted (`lost`), or a delay. */
type Fault = string | "hang" | "cut" | "lost" | { waitMs: number };

export interface SmtpServer extends AsyncDisposable {
  url: string;
  port: number;
  /** The accepted mails. */
  mails: SmtpMail[];
  /** Faults by step. Tests change them at any time. */
  faults: Partial<Record<Step, Fault>>;
  /** Mails with these words are refused. */
  refusedWords: string | undefined;
  /** The number of connections so far. */
  connections: number;
  /** Called at each step before the reply. */
  onStep: ((step: Step) => void) | undefined;
}

const answers: Record<Step, string> = {
  greeting: "220 mail.example ESMTP",
  AUTH: "235 2.7.0 Accepted",
  MAIL: "250 2.1.0 Ok",
  RCPT: "250 2.1.5 Ok",
  DATA: "354 Go on",
  text: "250 2.0.0 Queued",
};

/** Starts a mail server (RFC 5321, AUTH PLAIN) on a local port, by default a free one. */
export async function startSmtp(port = 0): Promise<SmtpServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined).once("close", () => open.delete(socket));
    smtp.connections += 1;
    void serve(socket, smtp);
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const { port: own } = server.address() as AddressInfo;
  const smtp: SmtpServer = {
    url: `smtp://me:secret@127.0.0.1:${own}`,
    port: own,
    mails: [],
    faults: {},
    refusedWords: undefined,
    connections: 0,
    onStep: undefined,
    async [Symbol.asyncDispose]() {
      open.forEach((socket) => socket.destroy());
      server.close();
      await once(server, "close");
    },
  };
  return smtp;
}

async function serve(socket: Socket, smtp: SmtpServer): Promise<void> {
  /** Replies to a step. Returns whether the client may continue. */
  const answer = async (step: Step) => {
    const fault = smtp.faults[step];
    smtp.onStep?.(step);
    if (fault === "cut" || fault === "lost") {
      socket.destroy();
    }
    if (fault === "hang" || fault === "cut" || fault === "lost") {
      return false;
    }
    if (typeof fault === "object") {
      await sleep(fault.waitMs);
    }
    const reply = typeof fault === "string" ? fault : answers[step];
    socket.write(`${reply}\r\n`);
    return reply === answers[step];
  };

  let [from, to, source] = ["", "", ""];
  let isText = false;
  await answer("greeting");
  for await (const line of linesOf(socket)) {
    const command = line.slice(0, 4).toUpperCase();
    if (isText && line !== ".") {
      source += `${line.startsWith(".") ? line.slice(1) : line}\r\n`;
    } else if (isText) {
      isText = false;
      const { refusedWords } = smtp;
      if (refusedWords !== undefined && textPart(source).includes(refusedWords)) {
        socket.write("554 5.7.1 Looks like spam\r\n");
        continue;
      }
      const fault = smtp.faults.text ?? "lost";
      if (fault === "lost" || typeof fault === "object") {
        smtp.mails.push({ from, to, ...parse(source) });
      }
      await answer("text");
    } else if (command === "EHLO") {
      socket.write("250-mail.example\r\n250-8BITMIME\r\n250 AUTH PLAIN\r\n");
    } else if (command === "AUTH" || command === "MAIL" || command === "RCPT") {
      [from, to] = command === "MAIL" ? [addressOf(line), to] : [from, addressOf(line)];
      await answer(command);
    } else if (command === "DATA") {
      [isText, source] = [await answer("DATA"), ""];
    } else {
      socket.write(command === "QUIT" ? "221 Bye\r\n" : "250 Ok\r\n");
    }
  }
}

async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = "";
  try {
    for await (const chunk of socket.setEncoding("latin1")) {
      const lines = `${rest}${chunk}`.split("\r\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch {
    // The client has disconnected.
  }
}

const addressOf = (line: string) => /<(.*?)>/.exec(line)?.[1] ?? "";

function parse(source: string): Pick<SmtpMail, "headers" | "source" | "text"> {
  const [head = ""] = source.split("\r\n\r\n", 1);
  const headers = new Map(
    head
      .replaceAll(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), valueOf(line)] as const),
  );
  return { headers, source, text: textPart(source) };
}

/** Returns a header's value with its encoded words decoded (RFC 2047). */
const valueOf = (line: string) =>
  line
    .slice(line.indexOf(":") + 2)
    .replaceAll(/\?= =\?/g, "?==?")
    .replaceAll(/=\?utf-8\?(B|Q)\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      decode(text.replaceAll("_", " "), kind.toUpperCase() === "B").toString("utf8"),
    );
