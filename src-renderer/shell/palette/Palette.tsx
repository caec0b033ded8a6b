import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/index.ts';
import { CommandPalette, openPalette } from '../../ui/frame/CommandPalette.tsx';
import type { ThemeChoice } from '../../ui/frame/TopBar.tsx';
import { usePaletteGroups } from './usePaletteGroups.tsx';

export { openPalette };

export interface PaletteProps {
  onTheme: (theme: ThemeChoice) => void;
  onSheet: () => void;
  undo: { message: string; run: () => void } | null;
}

/** The command palette with everything that it finds. */
export function Palette({ onTheme, onSheet, undo }: PaletteProps) {
  const { queries } = useApi();
  const cache = useQueryClient();
  const [searched, setSearched] = useState('');
  const groups = usePaletteGroups({ onTheme, onSheet, undo, searched });
  /** Commands add to the workspace while the window is open. */
  const refreshNames = (): void => {
    for (const queryKey of [
      queries.servers.list.key(),
      queries.suites.list.key(),
      queries.evaluations.list.key(),
    ])
      void cache.invalidateQueries({ queryKey });
  };
  return <CommandPalette groups={groups} onSearch={setSearched} onOpen={refreshNames} />;
}
