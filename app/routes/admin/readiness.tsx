import { href } from "react-router";
import { linkClass, noticeClass } from "./looks.ts";

/** Tells the owner what a live site still lacks. @param lacks sentences */
export function Readiness({ lacks }: { lacks: string[] }) {
  return (
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
}
