import { Button, type ButtonProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
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
