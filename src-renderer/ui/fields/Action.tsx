import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  Group,
  Menu,
  type MenuItemProps,
} from '@mantine/core';
import { type Icon, IconDots, IconPlus, IconTrash } from '@tabler/icons-react';
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

/** Adds a row to a list of fields. */
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

/** Removes a row of a list. */
export function RemoveButton({ label, ...props }: RemoveButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} {...props}>
      <IconTrash size={16} />
    </ActionIcon>
  );
}

/** Less frequent actions of a page behind three dots. */
export function MoreActions({ children }: { children: ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

interface MoreActionProps extends Omit<MenuItemProps, 'leftSection' | 'title'> {
  label: string;
  icon: Icon;
  /** Why it can't be done. */
  title?: string | null;
  onClick: () => void;
}

/** One of them. */
export function MoreAction({ label, icon: Glyph, title, ...props }: MoreActionProps) {
  return (
    <Menu.Item leftSection={<Glyph size={16} aria-hidden />} title={title ?? undefined} {...props}>
      {label}
    </Menu.Item>
  );
}
