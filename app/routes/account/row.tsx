import type { ComponentProps, ReactNode } from "react";
import { ButtonForm } from "#app/components/button-form.tsx";
import { buttonClass } from "#app/components/button.ts";

interface Props {
  title: ReactNode;
  /** Below the title: muted, or its own elements. */
  children?: ReactNode;
  /** At the row's end. */
  action?: ReactNode;
}

/** A row of a section's list: a thing, and the only action on it. */
export function Row({ title, children, action }: Props) {
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-bold wrap-anywhere">
          <bdi>{title}</bdi>
        </p>
        <div className="text-sm text-muted">{children}</div>
      </div>
      {action}
    </li>
  );
}

/** The style of an action at the end of a row: its text ends where the row ends. */
export const rowAction = buttonClass("text", "-me-4 flex-none");

interface RowButtonProps extends ComponentProps<"button"> {
  /** The page's action. */
  value: string;
  fields: Record<string, string>;
}

/** A form of one button, at the end of a row or of a section. */
export const RowButton = ({ fields, ...props }: RowButtonProps) => (
  <ButtonForm className="justify-self-end">
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <button type="submit" name="action" className={rowAction} {...props} />
  </ButtonForm>
);

export const RowLink = ({ children, ...props }: ComponentProps<"a">) => (
  <a className={rowAction} {...props}>
    {children}
  </a>
);
