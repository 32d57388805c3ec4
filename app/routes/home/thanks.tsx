import { href } from "react-router";
import { focusOnLoad } from "#app/components/focus-on-load.ts";

interface Sent {
  message: string;
  /** As it is dialled from any country. */
  phone: string | null;
  time: string;
  date: string;
  /** The address of its receipt. */
  path: string | undefined;
}

interface Props {
  /** When the owner answers, such as «خلال يوم عمل». */
  answerTime: string | undefined;
  /** The stored message. It is absent if the address does not name it. */
  sent: Sent | undefined;
}

/** Replaces the form after a message was sent. Its heading takes the focus. */
export function Thanks({ answerTime = "", sent }: Props) {
  return (
    <div className="cover grid min-h-136 content-center justify-items-center gap-1 px-6 py-12 text-center lg:border-s lg:border-edge">
      <svg viewBox="0 0 120 120" aria-hidden="true" className="seal w-26">
        <path
          pathLength="1"
          d="m116 60-16.4 16.4v23.2H76.4L60 116 43.6 99.6H20.4V76.4L4 60l16.4-16.4V20.4h23.2L60 4l16.4 16.4h23.2v23.2z"
        />
        <path pathLength="1" d="m40 62 14 14 27-30" />
      </svg>
      <div role="status">
        <h2 id="write" {...focusOnLoad} className="mt-3 text-3xl font-bold outline-none">
          وصلت رسالتك
        </h2>
        <p className="second max-w-[34ch] text-balance">
          شكرًا لك. سأقرؤها بنفسي، وأرد على بريدك{answerTime && ` ${answerTime}`}.
        </p>
      </div>
      {sent && (
        <>
          <blockquote
            dir="auto"
            className="mt-4 mb-3 max-h-64 w-[min(100%,26rem)] overflow-y-auto rounded-xl border border-edge bg-hollow px-4 py-3 text-start whitespace-pre-line wrap-anywhere"
          >
            {sent.message}
          </blockquote>
          {sent.phone && (
            <p className="second text-sm">
              واتساب: <bdi dir="ltr">{sent.phone}</bdi>
            </p>
          )}
          <p className="second text-sm">
            <time dateTime={sent.time}>{sent.date}</time> ·{" "}
            <a href={sent.path} className="underline underline-offset-4">
              إيصال رسالتك
            </a>
          </p>
        </>
      )}
      <a
        href={href("/")}
        className="mt-4 inline-grid min-h-12 place-items-center rounded-xl border border-edge px-6 font-bold hover:border-saffron"
      >
        كتابة رسالة أخرى
      </a>
    </div>
  );
}
