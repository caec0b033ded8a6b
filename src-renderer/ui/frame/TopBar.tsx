import { ActionIcon, Menu } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './AppFrame.module.css';
import { Keys } from '../keyboard/Keys.tsx';

export type ThemeChoice = 'system' | 'light' | 'dark';

const choices = [
  { value: 'system', label: 'System', icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
] as const;

interface TopBarProps {
  /** Receives the element that pages put their breadcrumbs into. */
  slot: (element: HTMLElement | null) => void;
  theme: ThemeChoice;
  onTheme: (theme: ThemeChoice) => void;
  onPalette: () => void;
  watch: ReactNode;
}

export function TopBar({ slot, theme, onTheme, onPalette, watch }: TopBarProps) {
  const current = choices.find((choice) => choice.value === theme) ?? choices[0];
  return (
    <div role="region" aria-label="Top bar" className={classes.top}>
      <div ref={slot} className={classes.crumbSlot} />
      <button type="button" className={classes.palette} onClick={onPalette}>
        <IconSearch size={14} aria-hidden />
        <span className={classes.paletteWord}>Go to or do …</span>
        <Keys keys="mod+k" />
      </button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="var(--ts-ink-muted)"
            title="Theme"
            aria-label={`Theme: ${current.label.toLowerCase()}`}
          >
            <current.icon size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={theme}
            onChange={(value) => {
              const chosen = choices.find((choice) => choice.value === value);
              if (chosen !== undefined) onTheme(chosen.value);
            }}
          >
            {choices.map((choice) => (
              <Menu.RadioItem
                key={choice.value}
                value={choice.value}
                closeMenuOnClick
                rightSection={<choice.icon size={16} aria-hidden />}
              >
                {choice.label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      {watch}
    </div>
  );
}
