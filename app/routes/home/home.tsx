import { data, href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { owner } from "../../content/owner.ts";
import { fieldErrors, textFields } from "../../lib/form-errors.ts";
import { getSupabase } from "../../middleware/supabase.ts";
import { messageSchema } from "../../models/message.ts";
import { saveMessage } from "../../models/message.server.ts";
import type { Route } from "./+types/home.ts";
import { ContactCard } from "./contact-card.tsx";
import { MessageForm } from "./message-form.tsx";

export async function action({ request, context }: Route.ActionArgs) {
  const values = textFields(await request.formData(), ["name", "email", "message"]);
  const result = messageSchema.safeParse(values);
  if (!result.success) {
    return data({ values, errors: fieldErrors(result.error), failure: undefined }, { status: 400 });
  }
  try {
    await saveMessage(getSupabase(context), result.data);
  } catch (error) {
    console.error(error instanceof Error ? error.message : "The message was not stored.");
    const failure = "لم تُرسل رسالتك بسبب عطل مؤقت. نصها محفوظ هنا، أعد الإرسال بعد قليل.";
    return data({ values, errors: {}, failure }, { status: 503 });
  }
  return redirectWithToast(href("/"), {
    type: "success",
    message: "وصلت رسالتك",
    description: "شكرًا لك، سأرد عليك في أقرب وقت.",
  });
}

export function meta() {
  const title = `${owner.name} · ${owner.title}`;
  return [
    { title },
    { name: "description", content: owner.description },
    { property: "og:title", content: title },
    { property: "og:description", content: owner.description },
    { property: "og:locale", content: "ar_SA" },
  ];
}

export default function Home({ actionData }: Route.ComponentProps) {
  return (
    <>
      <main className="mx-auto grid max-w-lg gap-6 p-4 py-6 sm:py-10 lg:max-w-5xl lg:grid-cols-[5fr_6fr] lg:items-start">
        <ContactCard />
        <MessageForm result={actionData} />
      </main>
      <footer className="px-4 pb-8 text-center text-sm text-muted">
        <small>
          © 2025 <bdi>{owner.name}</bdi>. جميع الحقوق محفوظة.
        </small>
      </footer>
    </>
  );
}
