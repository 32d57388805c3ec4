import type { ReactNode } from "react";
import type { PushDevice } from "#app/models/push.server.ts";

interface PushRowProps {
  title: string;
  text: ReactNode;
  children: ReactNode;
}

export function PushRow({ title, text, children }: PushRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-bold">
          <bdi>{title}</bdi>
        </p>
        <p className="text-sm text-muted">{text}</p>
      </div>
      {children}
    </li>
  );
}

export function PushTimes({ since, sent }: Pick<PushDevice, "since" | "sent">) {
  return (
    <>
      تعمل منذ <time dateTime={since.time}>{since.date}</time>
      {sent && (
        <>
          {". آخر تنبيه: "}
          <time dateTime={sent.time}>{sent.date}</time>
        </>
      )}
    </>
  );
}
