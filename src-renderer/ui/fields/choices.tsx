import { ActionIcon, Menu, type MenuItemProps, TextInput } from '@mantine/core';
import { type Icon, IconDots, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useShortcut } from '../keyboard/useShortcut.ts';
import { typed } from './controls.tsx';

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

export function MoreAction({ label, icon: Glyph, title, ...props }: MoreActionProps) {
  return (
    <Menu.Item leftSection={<Glyph size={16} aria-hidden />} title={title ?? undefined} {...props}>
      {label}
    </Menu.Item>
  );
}

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
}

/** The search field of a list; `/` focuses it. */
export function SearchField({ value, onChange, label }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcut('/', () => field.current?.focus(), label);
  return (
    <TextInput
      ref={field}
      type="search"
      size="xs"
      w={260}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      {...typed(value, onChange)}
    />
  );
}
