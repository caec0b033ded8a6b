import {
  IconChartGridDots,
  IconFlask,
  IconHome,
  IconListCheck,
  IconSettings,
  IconTool,
  IconTools,
} from '@tabler/icons-react';
import type { PlaceEntry } from '../ui/frame/placeEntry.ts';

/** The places of the program in the order of the navigation, each with the question it answers. */
export const places: readonly PlaceEntry[] = [
  { label: 'Overview', to: '/', icon: IconHome, tabs: [] },
  {
    label: 'Tools',
    to: '/tools',
    icon: IconTools,
    tabs: [],
    keywords: ['servers', 'needs work'],
    also: ['/servers'],
  },
  { label: 'Suites', to: '/suites', icon: IconListCheck, tabs: [] },
  {
    label: 'Results',
    to: '/results',
    icon: IconChartGridDots,
    tabs: [],
    keywords: ['evaluations', 'runs', 'improve', 'failures'],
  },
  { label: 'Workshop', to: '/workshop', icon: IconTool, tabs: [] },
  {
    label: 'Labs',
    to: '/labs',
    icon: IconFlask,
    tabs: [
      {
        label: 'Retrieval',
        to: '/labs/retrieval',
        keywords: ['retriever', 'search', 'ranking', 'recall@k', 'golden set'],
      },
      {
        label: 'Detectors',
        to: '/labs/detectors',
        keywords: ['corpus', 'benchmark', 'false alarms', 'attack'],
      },
      {
        label: 'Accuracy vs. tokens',
        to: '/labs/accuracy-vs-tokens',
        keywords: ['frontier', 'top k', 'find tool'],
      },
    ],
  },
  { label: 'Settings', to: '/settings', icon: IconSettings, tabs: [] },
];

/** The place whose tab shows this address; null on pages that are no tab of a place. */
export function placeOf(path: string): PlaceEntry | null {
  return places.find(({ tabs }) => tabs.some(({ to }) => to === path)) ?? null;
}
