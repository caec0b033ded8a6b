import { ActionIcon, Menu, type MenuItemProps } from '@mantine/core';
import { type Icon, IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';

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
