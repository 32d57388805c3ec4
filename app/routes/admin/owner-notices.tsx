import { href } from "react-router";
import { ButtonForm } from "#app/components/button-form.tsx";
import type { BoardFault } from "./board-faults.server.ts";
import { linkClass, noticeClass, outlineClass } from "./class-names.ts";

interface Props {
  faults: BoardFault[];
  /** Sentences about what a live site still lacks. */
  lacks: string[];
  /** The absence that lasts. */
  away: { first: string; until: string } | undefined;
}

const dangerClass = `${noticeClass} bg-danger-tint! text-danger`;

/** Notices above the messages that ask the owner to act. */
export const OwnerNotices = ({ faults, lacks, away }: Props) => (
  <>
    {faults.map((fault) => !fault.isTip && <Fault key={fault.to} {...fault} />)}
    {away && <Away {...away} />}
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

const Away = ({ first, until }: NonNullable<Props["away"]>) => (
  <div className={`${noticeClass} flex flex-wrap items-center justify-between gap-x-4`}>
    <p>أنت غائب حتى {until}.</p>
    <ButtonForm action={href("/account")}>
      <input type="hidden" name="board" />
      <input type="hidden" name="absence" value={first} />
      <button
        type="submit"
        name="action"
        value="end-absence"
        className={`${outlineClass} bg-surface`}
      >
        إنهاء الغياب
      </button>
    </ButtonForm>
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
      <a href={href("/account/documents/:name", { name: "owner" })} className={linkClass}>
        طريقة الإعداد
      </a>
      .
    </p>
  </details>
);
