import { href } from "react-router";
import { ButtonForm } from "#app/components/button-form.tsx";
import type { BoardFault } from "./board-faults.server.ts";
import { linkClass, noticeClass, outlineClass } from "./looks.ts";

interface Props {
  faults: BoardFault[];
  /** Sentences about what a live site still lacks. */
  lacks: string[];
}

const dangerClass = `${noticeClass} bg-danger-tint! text-danger`;

/** Notices above the messages that ask the owner to act. */
export const OwnerNotices = ({ faults, lacks }: Props) => (
  <>
    {faults.map((fault) => !fault.isTip && <Fault key={fault.to} {...fault} />)}
    {lacks.length > 0 && <Readiness lacks={lacks} />}
  </>
);

const Fault = ({ text, link, to, canRetry }: BoardFault) => (
  <div className={dangerClass}>
    <p>
      {text}{" "}
      <a href={to} className="underline underline-offset-4">
        {link}
      </a>
    </p>
    {canRetry && (
      <ButtonForm action={href("/account")}>
        <button type="submit" name="notification-retry" value="board" className={outlineClass}>
          أعد المحاولة
        </button>
      </ButtonForm>
    )}
  </div>
);

const Readiness = ({ lacks }: Pick<Props, "lacks">) => (
  <details className={noticeClass}>
    <summary className="min-h-11 cursor-pointer content-center font-bold">
      موقعك منشور، ولم يكتمل بعد
    </summary>
    <ul className="list-disc space-y-1 ps-5">
      {lacks.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
    <p className="pt-2">
      تكتب ما في الصفحة في الملف <bdi dir="ltr">app/content/owner.ts</bdi>، والباقي من إعدادات
      الموقع:{" "}
      <a href={href("/account/documents/:name", { name: "deploy" })} className={linkClass}>
        طريقة الإعداد
      </a>
      .
    </p>
  </details>
);
