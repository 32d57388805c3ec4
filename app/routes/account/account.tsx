import { href, redirect } from "react-router";
import { ButtonLink } from "#app/components/button-link.tsx";
import { SignOutForm } from "#app/components/sign-out-form.tsx";
import { keepForm } from "#app/hooks/keep-form.ts";
import { absencesToCome } from "#app/models/absences.server.ts";
import { readSessions } from "#app/models/account/sessions.server.ts";
import { readCounts } from "#app/models/counts.server.ts";
import { fileDate, longDate } from "#app/models/date.server.ts";
import { readInboxState } from "#app/models/inbox.server.ts";
import { readChannels } from "#app/models/notifications.server.ts";
import { getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { siteContext } from "#app/session/site-context.server.ts";
import type { Route } from "./+types/account.ts";
import { addOwnersAbsence, endOwnersAbsence } from "./absence-actions.server.ts";
import { AbsencesSection } from "./absences-section.tsx";
import { BackupsSection } from "./backups-section.tsx";
import { describeBackups } from "./backups.server.ts";
import { mailConfirmation } from "./confirm-email.server.ts";
import { CountsSection } from "./counts-section.tsx";
import { DeletionSection, EmailSection, PasswordSection } from "./credential-sections.tsx";
import { DevicesSection } from "./devices-section.tsx";
import { FactorsSection } from "./factors-section.tsx";
import { NotificationsSection } from "./notifications-section.tsx";
import { changeCounts, testNotification } from "./owner-actions.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { canVerifyEmail } = context.get(siteContext).backend;
  const [{ email, isEmailVerified, newEmail, factors }, { sessions, unlisted }, owned] =
    await Promise.all([
      getAccount(context),
      readSessions(getSupabase(context)),
      readOwned(context),
    ]);
  const datedFactors = factors.map((factor) => ({ ...factor, date: longDate(factor.createdAt) }));
  return {
    email,
    isEmailVerified,
    canVerifyEmail: canVerifyEmail?.() ?? true,
    newEmail,
    factors: datedFactors,
    sessions,
    unlisted,
    ...owned,
  };
}

/**
 * The state of backups, counts, notifications and absences, for the inbox's owner only. It is read beside the
 * question who that is: the database shows it to nobody else.
 */
async function readOwned(context: Route.LoaderArgs["context"]) {
  const { backend, counters, absences, notifications } = context.get(siteContext);
  const supabase = getSupabase(context);
  const [{ owner, may_read: mayRead }, backups, counts, channels] = await Promise.all([
    readInboxState(supabase),
    backend.backups?.(),
    readCounts(supabase, backend, counters),
    readChannels(supabase, notifications.channels),
    absences.read(),
  ]);
  if (owner !== "me" || !mayRead) {
    return {};
  }
  const now = Date.now();
  return {
    backups: backups === undefined ? undefined : describeBackups(backups),
    counts,
    channels,
    absences: {
      toCome: absencesToCome(absences.list, now),
      today: fileDate(new Date(now)),
    },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await request.formData();
  switch (fields.get("action")) {
    case "confirm-email":
      return mailConfirmation(context);
    case "change-counts":
      return changeCounts(context, fields.get("counts"));
    case "test-notification":
      return testNotification(context, fields.get("channel"));
    case "add-absence":
      return addOwnersAbsence(context, fields);
    case "end-absence":
      return endOwnersAbsence(context, fields);
    default:
      return redirect(href("/account"));
  }
}

export const clientAction = keepForm;

export const meta: Route.MetaFunction = () => [
  { title: "حسابي" },
  { name: "robots", content: "noindex" },
];

export default function AccountPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email, isEmailVerified, newEmail, factors, sessions, unlisted } = loaderData;
  const { canVerifyEmail, backups, counts, channels, absences } = loaderData;
  return (
    <div className="mx-auto max-w-3xl pb-24 sm:p-8 sm:pb-24">
      <div className="overflow-hidden border-line bg-surface raised sm:rounded-3xl sm:border">
        <header className="cover flex flex-wrap items-center justify-between gap-x-6 gap-y-4 px-5 py-6 sm:px-8">
          <h1 className="text-3xl font-bold">حسابي</h1>
          <nav aria-label="الحساب" className="flex flex-wrap gap-2">
            <ButtonLink href={href("/admin")}>لوحة الرسائل</ButtonLink>
            <SignOutForm />
          </nav>
        </header>
        <main className="divide-y divide-line">
          <EmailSection
            email={email}
            offersVerification={!isEmailVerified && canVerifyEmail}
            newEmail={newEmail}
          />
          <PasswordSection />
          <FactorsSection factors={factors} />
          <DevicesSection sessions={sessions} unlisted={unlisted} />
          {channels && (
            <NotificationsSection
              channels={channels}
              email={email}
              isVerified={isEmailVerified}
              canVerify={canVerifyEmail}
            />
          )}
          {absences && <AbsencesSection {...absences} refused={actionData} />}
          {counts && <CountsSection {...counts} />}
          {backups && <BackupsSection {...backups} />}
          <DeletionSection />
        </main>
      </div>
    </div>
  );
}
