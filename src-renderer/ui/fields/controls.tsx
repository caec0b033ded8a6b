import { ActionIcon, type ActionIconProps, Button, type ButtonProps, Group } from '@mantine/core';
import { type Icon, IconPlus, IconTrash } from '@tabler/icons-react';
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';

interface ActionProps
  extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  /** A verb and a noun; children only where it holds a name. */
  label?: ReactNode;
  icon?: Icon;
  /** An icon behind the label. */
  after?: Icon;
  /** The page that it opens, and whether that page takes the place of this one. */
  to?: string;
  replace?: boolean;
  /** What a click does and waits for. */
  run?: { isPending: boolean; mutate: () => void };
  /** The one action of a page that leads on. */
  filled?: boolean;
  /** One of a row, of a notice, or above a list. */
  small?: boolean;
  /** Why it can't be pressed now; null if it can. */
  why?: string | null;
}

const iconSizes: Readonly<Record<string, number>> = { md: 16, sm: 16, lg: 20 };

/** A button with a label and an icon: it does something, or opens a page. */
export function Action(props: ActionProps) {
  const {
    label,
    icon: Before,
    after: After,
    to,
    replace = false,
    filled,
    small,
    run,
    why = null,
    ...rest
  } = props;
  const { size = small === true ? 'compact-sm' : 'sm', children = label } = rest;
  const iconSize = iconSizes[String(size)] ?? 14;
  const look = {
    variant: filled === true ? 'filled' : 'default',
    ...(Before && { leftSection: <Before size={iconSize} aria-hidden /> }),
    ...(After && { rightSection: <After size={iconSize} aria-hidden /> }),
    ...(run && { loading: run.isPending, onClick: () => run.mutate() }),
    ...(why !== null && { disabled: true, title: why }),
    ...{ ...rest, size, children },
  };
  return to === undefined ? (
    <Button {...look} />
  ) : (
    <Button {...(look as ButtonProps)} component={Link} to={to} replace={replace} />
  );
}

export function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Group>
      <Action label={label} small icon={IconPlus} onClick={onClick} />
    </Group>
  );
}

interface RemoveButtonProps extends ActionIconProps {
  label: string;
  onClick: (event: MouseEvent) => void;
}

export function RemoveButton({ label, ...props }: RemoveButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
      <IconTrash size={16} />
    </ActionIcon>
  );
}

/** What is wrong with a field, if anything is. */
const faulty = (error: string | undefined) => (error === undefined ? {} : { error });

/** What a field holds, what each change of it does, and what is wrong with it. */
export const held = <Value,>(value: Value, onChange: (value: Value) => void, error?: string) => ({
  value,
  onChange,
  error,
});

/** The same for text. */
export const typed = (value: string, onText: (text: string) => void, error?: string) => ({
  ...faulty(error),
  value,
  onChange: (event: { currentTarget: { value: string } }): void =>
    onText(event.currentTarget.value),
});

/** Whether a checkbox or switch is on, and who is told each change of it. */
export const ticked = (checked: boolean, onTick: (isOn: boolean) => void) => ({
  checked,
  onChange: (event: { currentTarget: { checked: boolean } }): void =>
    onTick(event.currentTarget.checked),
});

/** A form that acts when it is submitted; the window stays where it is. */
export const submitting = (act: () => void) => ({
  onSubmit: (event: { preventDefault: () => void }): void => {
    event.preventDefault();
    act();
  },
});

/** The limits of a field for a number without decimals. */
export const whole = (min: number, max: number) => ({ min, max, allowDecimal: false });

/** A field that always holds a number within these limits, the lowest if it is emptied. */
export const wholeNumber = (
  value: number,
  [min, max]: readonly [number, number],
  onNumber: (value: number) => void,
) => ({
  ...whole(min, max),
  value,
  onChange: (typed: number | string): void =>
    onNumber(Math.min(max, Math.max(min, Number(typed) || min))),
});

/** The choices of a field in their order, each with its label. */
export const options = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));

/** What a choice holds, and who is told each other one. It always holds one. */
export const choosing = <Value extends string>(
  value: Value | null,
  onChoice: (value: Value) => void,
  error?: string,
) => ({
  ...faulty(error),
  value,
  allowDeselect: false,
  onChange: (next: Value | null): void => {
    if (next !== null && next !== value) onChoice(next);
  },
});
