import { owner } from "#app/content/owner.ts";
import { ContactCard } from "#app/routes/home/contact-card.tsx";
import { MessageForm } from "#app/routes/home/message-form.tsx";

export function meta() {
  return [{ title: owner.name }, { name: "description", content: owner.description }];
}

export default function Home() {
  return (
    <main className="mx-auto grid max-w-lg gap-6 p-4 py-6 sm:py-10 lg:max-w-5xl lg:grid-cols-[5fr_6fr] lg:items-start">
      <ContactCard />
      <MessageForm result={undefined} />
    </main>
  );
}
