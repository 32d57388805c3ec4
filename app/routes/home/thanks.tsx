import { useEffect, useRef } from "react";
import { href } from "react-router";
import { buttonClass } from "#app/components/button.ts";
import { focusOnLoad } from "#app/components/form-parts.tsx";
import { Icon } from "#app/components/icons.tsx";

interface Props {
  /** The path of the message's receipt. */
  receipt: string | undefined;
}

/** Replaces the form after a message was sent, and takes the focus. */
export function Thanks({ receipt }: Props) {
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <div className="grid grow place-content-center justify-items-center gap-5 py-8 text-center">
      <span className="grid size-20 place-items-center rounded-full bg-tint text-brand">
        <Icon path="M5 12.5l4.5 4.5L19 7.5" className="size-10" />
      </span>
      <div ref={text} role="status" {...focusOnLoad} className="grid gap-1 [outline:none]">
        <h2 id="write" className="text-2xl font-bold">
          وصلت رسالتك
        </h2>
        <p className="text-muted">شكرًا لك، سأرد عليك في أقرب وقت.</p>
      </div>
      {receipt && (
        <a href={receipt} className="text-brand underline">
          إيصال رسالتك: قراءتها أو حذفها
        </a>
      )}
      <a href={href("/")} className={buttonClass("quiet")}>
        كتابة رسالة أخرى
      </a>
    </div>
  );
}
