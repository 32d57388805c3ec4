import { href } from "react-router";
import { Seal, sheetClass, Written } from "#app/components/sheet.tsx";
import type { ShownField } from "#app/models/message-fields.server.ts";

interface Sent {
  texts: ShownField[];
  time: string;
  date: string;
  /** The address of its receipt. */
  path: string | undefined;
}

interface Props {
  /** When the owner answers, such as «خلال يوم عمل», or «الأحد ٦ ديسمبر» after an absence. */
  answerTime: string | undefined;
  /** The stored message. It is absent if the address does not name it. */
  sent: Sent | undefined;
}

const link = "text-brand underline underline-offset-4";

/** The sheet with the message and its seal. */
export function Thanks({ answerTime = "", sent }: Props) {
  return (
    <div className={sheetClass}>
      {sent && <Written texts={sent.texts} />}
      <Seal>
        <div role="status">
          <h2
            id="write"
            tabIndex={-1}
            // The text above it stays in view.
            className="scroll-mt-[60svh] text-2xl font-bold outline-none"
          >
            وصلت رسالتك
          </h2>
          <p>شكرًا لك. سأقرؤها بنفسي، وأرد على بريدك{answerTime && ` ${answerTime}`}.</p>
        </div>
        <p className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
          {sent && (
            <>
              <time dateTime={sent.time}>{sent.date}</time>
              <a href={sent.path} className={link}>
                إيصال رسالتك
              </a>
            </>
          )}
          <a href={href("/")} className={`print:hidden ${link}`}>
            كتابة رسالة أخرى
          </a>
        </p>
      </Seal>
    </div>
  );
}
