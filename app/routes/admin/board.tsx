import { data, Form, href, Link } from "react-router";
import { buttonClass } from "../../components/button.ts";
import { PageNotice, type Notice } from "../../components/toasts.tsx";
import { getSupabase } from "../../middleware/supabase.ts";
import { cursorText, mergeMessages } from "../../models/inbox.ts";
import { parseCursor, readMessages } from "../../models/message.server.ts";
import type { Route } from "./+types/board.ts";
import { EmptyBoard, LoadingCard, MessageCard } from "./cards.tsx";
import { useLiveMessages } from "./use-live-messages.tsx";
import { useRetry } from "./use-retry.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const before = parseCursor(url.searchParams.get("before"));
  try {
    const page = await readMessages(getSupabase(context), before);
    return { page, isNewest: before === undefined, toast: undefined };
  } catch (error) {
    console.error(error instanceof Error ? error.message : "The inbox was not read.");
    return data({ page: undefined, isNewest: true, toast: loadFailure }, { status: 503 });
  }
}

const loadFailure: Notice = {
  type: "error",
  message: "خطأ",
  description: "فشل تحميل الرسائل",
};

/** Scripts start with the page: the board is live. */
export const handle = { live: true };

export const meta: Route.MetaFunction = () => [
  { title: "لوحة الرسائل" },
  { name: "robots", content: "noindex" },
];

export default function Board({ loaderData: { page, isNewest, toast } }: Route.ComponentProps) {
  const live = useLiveMessages();
  useRetry(page === undefined);
  return (
    <div className="mx-auto max-w-3xl p-4 pb-24 sm:py-8">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-3xl font-extrabold">لوحة الرسائل</h1>
        <nav aria-label="الحساب" className="flex gap-2">
          <a href={href("/")} className={buttonClass("quiet")}>
            الرئيسية
          </a>
          <Form method="post" action={href("/sign-out")}>
            <button type="submit" className={buttonClass("quiet")}>
              تسجيل الخروج
            </button>
          </Form>
        </nav>
      </header>
      <PageNotice toast={toast} />
      <main className="mt-6 grid gap-4">
        {page ? (
          <Messages page={page} live={isNewest ? live : []} isNewest={isNewest} />
        ) : (
          <>
            <LoadingCard />
            <a href={href("/admin")} className={buttonClass("quiet", "justify-self-center")}>
              إعادة المحاولة
            </a>
          </>
        )}
      </main>
    </div>
  );
}

type Page = Awaited<ReturnType<typeof readMessages>>;

interface MessagesProps {
  page: Page;
  live: ReturnType<typeof useLiveMessages>;
  isNewest: boolean;
}

function Messages({ page, live, isNewest }: MessagesProps) {
  const { messages, hasOlder } = mergeMessages(page, live);
  const last = messages.at(-1);
  return (
    <>
      {!isNewest && (
        <Link to={href("/admin")} className={buttonClass("quiet", "justify-self-center")}>
          أحدث الرسائل
        </Link>
      )}
      {messages.length === 0 ? (
        <EmptyBoard />
      ) : (
        <ol aria-label="الرسائل" className="grid gap-4">
          {messages.map((message) => (
            <li key={message.id}>
              <MessageCard message={message} />
            </li>
          ))}
        </ol>
      )}
      {hasOlder && last && (
        <Link
          to={{ pathname: href("/admin"), search: `?before=${cursorText(last)}` }}
          className={buttonClass("quiet", "justify-self-center")}
        >
          رسائل أقدم
        </Link>
      )}
    </>
  );
}
