import {
  createSpotlight,
  Spotlight,
  type SpotlightActionGroupData,
  useSpotlight,
} from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { Keys } from '../keyboard/Keys.tsx';
import { firstCharacters, visibleText } from '../text/Foreign.tsx';

interface PaletteEntry {
  id: string;
  label: string;
  description?: string;
  icon?: ReactNode;
  /** Other words that find the entry. */
  keywords?: string[];
  keys?: string;
  run: () => void;
}

export interface PaletteGroup {
  title: string;
  entries: readonly PaletteEntry[];
}

const [store, palette] = createSpotlight();

export function openPalette(): void {
  palette.open();
}

/**
 * Results from the core arrive later than the key press that asked for them; Enter must take the
 * first entry then too.
 */
function useFirstEntry(): void {
  const { opened, listId, query } = useSpotlight(store);
  useEffect(() => {
    const list = document.getElementById(listId);
    if (!opened || list === null || query === '' || list.querySelector('[data-selected]') !== null)
      return;
    const first = list.querySelector('[data-action]');
    if (first === null) return;
    first.setAttribute('data-selected', 'true');
    store.updateState((state) => ({ ...state, selected: 0, empty: false }));
  });
}

/** Every screen and action, found by typing. The frame opens it on Ctrl/Cmd+K. */
export function CommandPalette(props: {
  groups: readonly PaletteGroup[];
  onSearch: (text: string) => void;
  onOpen: () => void;
}) {
  const { groups, onSearch, onOpen } = props;
  useFirstEntry();
  const actions: SpotlightActionGroupData[] = groups
    .filter((group) => group.entries.length > 0)
    .map((group) => ({
      group: group.title,
      actions: group.entries.map((entry) => ({
        id: entry.id,
        label: visibleText(firstCharacters(entry.label, 160)),
        ...(entry.description === undefined
          ? {}
          : { description: visibleText(firstCharacters(entry.description, 160)) }),
        ...(entry.keywords === undefined ? {} : { keywords: entry.keywords }),
        leftSection: entry.icon,
        rightSection: entry.keys === undefined ? undefined : <Keys keys={entry.keys} />,
        onClick: entry.run,
      })),
    }));
  return (
    <Spotlight
      store={store}
      centered={false}
      actions={actions}
      shortcut={null}
      onQueryChange={onSearch}
      onSpotlightOpen={onOpen}
      limit={30}
      nothingFound="No results. Search for a page, an action, a server, a tool, a suite, a case or an evaluation."
      scrollable
      maxHeight="60vh"
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      transitionProps={{ duration: 120 }}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'Go to or do …',
        'aria-label': 'Search the command palette',
      }}
    />
  );
}
