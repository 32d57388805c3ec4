import { href } from "react-router";
import { buttonClass } from "../../components/button.ts";
import { SignOutForm } from "../../components/sign-out-form.tsx";

/** @param isLive whether new messages appear by themselves */
export function BoardHeader({ isLive }: { isLive: boolean }) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex flex-wrap items-center gap-x-3">
        <h1 className="text-3xl font-extrabold">لوحة الرسائل</h1>
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          {isLive && (
            <>
              <span aria-hidden="true" className="dot self-center border-saffron" />
              مباشر
            </>
          )}
        </p>
      </div>
      <nav aria-label="الحساب" className="flex flex-wrap gap-1.5 max-sm:w-full max-sm:*:grow">
        <a href={href("/")} className={buttonClass("quiet")}>
          الرئيسية
        </a>
        <a href={href("/account")} className={buttonClass("quiet")}>
          حسابي
        </a>
        <SignOutForm />
      </nav>
    </header>
  );
}
