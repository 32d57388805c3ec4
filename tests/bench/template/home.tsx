import { useLoaderData } from "react-router";
import { ContactCard } from "#app/routes/home/contact-card.tsx";
import { contactOf } from "#app/routes/home/contact.server.ts";
import { MessageForm } from "#app/routes/home/message-form.tsx";

export const loader = () => contactOf("http://localhost:3000");

export function meta({ loaderData }: { loaderData: ReturnType<typeof loader> }) {
  return [{ title: loaderData.name }, { name: "description", content: loaderData.description }];
}

export default function Home() {
  const contact = useLoaderData<typeof loader>();
  return (
    <>
      <div className="lattice h-52 sm:h-64" />
      <main className="px-4 sm:px-6">
        <ContactCard contact={contact}>
          <MessageForm result={undefined} />
        </ContactCard>
      </main>
    </>
  );
}
