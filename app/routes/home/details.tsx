import { useHydrated } from "#app/hooks/use-hydrated.ts";
import type { Contact } from "./contact.server.ts";

export const detailsId = "details";

const button =
  "mt-2 grid min-h-11 w-full cursor-pointer place-items-center rounded-xl border text-md text-cover-end print:hidden";

/**
 * Every contact as a text that can be selected, and the page as a QR code: inside other apps, many
 * links lead nowhere. Opened by a button of the cover, without scripts.
 */
export function Details({ contact }: { contact: Contact }) {
  const { channels, address, qr } = contact;
  const canShare = useHydrated() && "share" in navigator;
  return (
    <div
      popover="auto"
      id={detailsId}
      role="dialog"
      aria-label="بياناتي ورمز QR"
      className="details m-auto max-h-full overflow-y-auto rounded-3xl p-6 text-start"
    >
      <svg
        role="img"
        aria-label={address}
        viewBox={`-2 -2.5 ${qr.size + 4} ${qr.size + 4}`}
        stroke="currentColor"
        shapeRendering="crispEdges"
        className="mx-auto size-44"
      >
        <path d={qr.path} />
      </svg>
      <dl className="my-4 grid gap-1 text-md">
        {channels.map(
          ({ name, link, address: text }) =>
            link && <Entry key={name + link} name={name} text={text ?? link} />,
        )}
        <Entry name="هذه الصفحة" text={address} />
      </dl>
      <a href="/contact.vcf" className={`${button} font-bold`}>
        حفظ جهة الاتصال
      </a>
      {canShare && (
        <button type="button" onClick={() => void share(address)} className={`${button} font-bold`}>
          مشاركة الصفحة
        </button>
      )}
      <button
        type="button"
        popoverTarget={detailsId}
        popoverTargetAction="hide"
        className={`${button} border-transparent`}
      >
        إغلاق
      </button>
    </div>
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
      <dt className="text-sm opacity-80">{name}</dt>
      <dd>
        <bdi dir="ltr" className="select-all">
          {text}
        </bdi>
      </dd>
    </div>
  );
}
