import { href } from "react-router";
import type { BoardFault } from "./board-faults.server.ts";
import { linkClass, noticeClass } from "./looks.ts";

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

const Fault = ({ text, link, to }: BoardFault) => (
  <p className={dangerClass}>
    {text}{" "}
    <a href={to} className="underline underline-offset-4">
      {link}
    </a>
  </p>
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
      <a href={href("/account/documents/:name", { name: "owner" })} className={linkClass}>
        طريقة الإعداد
      </a>
      .
    </p>
  </details>
);
