import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

interface Props {
  title: string;
  open?: boolean;
  className?: string;
  children: ReactNode;
}

/** What a reader opens by its title. */
export function Disclosure({ title, children, ...props }: Props) {
  return (
    <details {...props}>
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-bold text-brand [&::-webkit-details-marker]:hidden">
        {title}
        <Icon
          path="m6 9 6 6 6-6"
          className="size-4 transition-[rotate] [[open]>summary>&]:rotate-180"
        />
      </summary>
      {children}
    </details>
  );
}
