import { Icon } from "#app/components/icons.tsx";
import { useHydrated } from "#app/hooks/use-hydrated.ts";
import type { Contact } from "./contact.server.ts";

/**
 * Every contact as a text that can be selected, and the page as a QR code: inside other apps, many
 * links lead nowhere.
 */
export function Details({ contact }: { contact: Contact }) {
  const { channels, address, qr } = contact;
  const canShare = useHydrated() && "share" in navigator;
  return (
    <details className="group mt-3">
      <summary className="second inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-xl px-3 text-sm [&::-webkit-details-marker]:hidden">
        بياناتي ورمز QR
        <Icon path="m6 9 6 6 6-6" className="size-4 transition-[rotate] group-open:rotate-180" />
      </summary>
      <div className="paper flex flex-wrap items-center gap-4 rounded-xl p-3 text-start">
        <svg
          role="img"
          aria-label={address}
          viewBox={`-2 -2.5 ${qr.size + 4} ${qr.size + 4}`}
          stroke="currentColor"
          shapeRendering="crispEdges"
          className="size-28"
        >
          <path d={qr.path} />
        </svg>
        <dl className="grow basis-40 text-md">
          {channels.map(
            ({ name, link, address: text }) =>
              link && <Entry key={name + link} name={name} text={text ?? link} />,
          )}
          <Entry name="هذه الصفحة" text={address} />
        </dl>
        <a
          href="/contact.vcf"
          className="inline-flex min-h-11 items-center font-bold underline print:hidden"
        >
          حفظ جهة الاتصال
        </a>
        {canShare && (
          <button
            type="button"
            onClick={() => void share(address)}
            className="min-h-11 font-bold underline print:hidden"
          >
            مشاركة الصفحة
          </button>
        )}
      </div>
    </details>
  );
}

/** Opens the device's own dialog. Whoever closes it has changed their mind: that is no fault. */
async function share(url: string): Promise<void> {
  try {
    await navigator.share({ url });
  } catch (error) {
    if ((error as Error).name !== "AbortError") {
      throw error;
    }
  }
}

function Entry({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt className="text-sm opacity-75">{name}</dt>
      <dd>
        <bdi dir="ltr" className="select-all">
          {text}
        </bdi>
      </dd>
    </div>
  );
}
