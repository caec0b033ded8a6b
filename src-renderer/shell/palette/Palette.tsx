import { useQueryClient, keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useRead } from '../../api/index.ts';
import { CommandPalette, openPalette, type PaletteGroup } from '../../ui/frame/CommandPalette.tsx';
import type { ThemeChoice } from '../../ui/frame/TopBar.tsx';
import {
  IconArrowBackUp,
  IconArrowRight,
  IconChartGridDots,
  IconFileText,
  IconKeyboard,
  IconListCheck,
  IconMoon,
  IconRefresh,
  IconServer,
  IconSun,
  IconTool,
} from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import type { NameMatch } from '../../../src-shared/domain/nameMatch.ts';
import { useCheckAll } from '../../features/tools/index.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { toolAddress } from '../../../src-shared/display/toolAddresses.ts';
import { paletteActions } from './paletteActions.ts';
import { places } from '../places.ts';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';

export { openPalette };

export interface PaletteProps {
  onTheme: (theme: ThemeChoice) => void;
  onSheet: () => void;
  undo: { message: string; run: () => void } | null;
}

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

interface PaletteParts {
  onTheme: (theme: ThemeChoice) => void;
  onSheet: () => void;
  undo: { message: string; run: () => void } | null;
  searched: string;
}

function addressOf({ kind, id, parent, label, detail }: NameMatch): string {
  if (kind === 'case') return `/suites/${parent ?? ''}?case=${id}`;
  return kind === 'tool' ? toolAddress(toolId(detail, label)) : `/workshop/${id}`;
}

/**
 * The entries of the command palette: actions, screens, and servers, suites, evaluations, cases and
 * tools by name.
 */
function usePaletteGroups(props: PaletteParts): PaletteGroup[] {
  const { onTheme, onSheet, undo, searched } = props;
  const navigate = useNavigate();
  const servers = useRead((ask) => ask.servers.list);
  const suites = useRead((ask) => ask.suites.list);
  const results = useRead((ask) => ask.results.list, { input: { limit: 100 } });
  const { checkAll } = useCheckAll();
  const text = searched.trim().slice(0, 200);
  const found = useRead((ask) => ask.settings.find, {
    input: { text },
    enabled: text.length >= 2,
    placeholderData: keepPreviousData,
  });
  const foundOf = (...kinds: NameMatch['kind'][]): NameMatch[] =>
    text.length < 2 ? [] : (found.data ?? []).filter(({ kind }) => kinds.includes(kind));
  const go = (to: string) => (): void => void navigate(to);
  return [
    {
      title: 'Do',
      entries: [
        ...(undo === null
          ? []
          : [
              {
                id: 'undo',
                label: 'Undo',
                description: undo.message,
                icon: <IconArrowBackUp size={18} />,
                keys: 'mod+z',
                run: undo.run,
              },
            ]),
        ...paletteActions.map(({ id, label, to, keywords }) => ({
          id,
          label,
          icon: <IconArrowRight size={18} />,
          keywords: [...keywords],
          run: go(to),
        })),
        {
          id: 'check-all',
          label: 'Connect all',
          icon: <IconRefresh size={18} />,
          keywords: ['check all servers', 'reachable', 'refresh', 'list tools'],
          run: () => {
            go('/tools')();
            checkAll((servers.data ?? []).map((server) => server.id));
          },
        },
        {
          id: 'light',
          label: 'Light theme',
          icon: <IconSun size={18} />,
          run: () => onTheme('light'),
        },
        {
          id: 'dark',
          label: 'Dark theme',
          icon: <IconMoon size={18} />,
          run: () => onTheme('dark'),
        },
        {
          id: 'shortcuts',
          label: 'Keyboard shortcuts',
          icon: <IconKeyboard size={18} />,
          keys: '?',
          run: onSheet,
        },
      ],
    },
    {
      title: 'Screens',
      entries: places.flatMap(({ label, to, icon: Icon, tabs, keywords = [] }) => [
        ...(tabs.some((tab) => tab.to === to)
          ? []
          : [
              {
                id: `to ${to}`,
                label,
                icon: <Icon size={18} />,
                keywords: [...keywords],
                run: go(to),
              },
            ]),
        ...tabs.map((tab) => ({
          id: `to ${tab.to}`,
          label: tab.label,
          description: label,
          icon: <Icon size={18} />,
          keywords: [label, ...tab.keywords],
          run: go(tab.to),
        })),
      ]),
    },
    {
      title: 'Servers',
      entries: (servers.data ?? []).map((server) => ({
        id: `server ${server.id}`,
        label: server.name,
        icon: <IconServer size={18} />,
        run: go(`/servers/${server.id}`),
      })),
    },
    {
      title: 'Suites',
      entries: (suites.data ?? []).map((suite) => ({
        id: `suite ${suite.id}`,
        label: suite.name,
        description: suiteSize(suite),
        icon: <IconListCheck size={18} />,
        run: go(`/suites/${suite.id}`),
      })),
    },
    {
      title: 'Results',
      entries: (results.data?.groups ?? [])
        .flatMap(({ lead, derived }) => [lead, ...derived])
        .map(({ unit, evaluation: { id, number, suiteName, state } }) => ({
          id: `result ${id}`,
          label: `#${number} ${suiteName}`,
          description: unit === 'task' ? `tasks, ${state}` : state,
          icon: <IconChartGridDots size={18} />,
          keywords: ['evaluation', `${unit}s`],
          run: go(`/results/${id}`),
        })),
    },
    // The core finds these by more than the shown text; the typed text counts as a keyword, so that
    // the palette does not filter them out.
    {
      title: 'Cases',
      entries: foundOf('case').map((one) => ({
        id: `case ${one.id}`,
        label: one.label,
        description: `Case of ${one.detail}`,
        keywords: [text],
        icon: <IconFileText size={18} />,
        run: go(addressOf(one)),
      })),
    },
    {
      title: 'Tools',
      entries: foundOf('tool', 'workshop tool').map((one) => ({
        id: `${one.kind} ${one.id}`,
        label: one.label,
        description: one.kind === 'tool' ? `Tool of ${one.detail}` : 'Tool of the workshop',
        keywords: [text],
        icon: <IconTool size={18} />,
        run: go(addressOf(one)),
      })),
    },
  ];
}
