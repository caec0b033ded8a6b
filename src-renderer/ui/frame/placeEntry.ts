import type { Icon } from '@tabler/icons-react';

/** A tab of a place: a page with an address of its own. */
interface PlaceTab {
  label: string;
  to: string;
  /** Other words by which people search for it. */
  keywords: readonly string[];
}

export interface PlaceEntry {
  label: string;
  to: string;
  icon: Icon;
  tabs: readonly PlaceTab[];
  /** Other words by which people search for the place itself. */
  keywords?: readonly string[];
  /** Further beginnings of addresses that belong to the place. */
  also?: readonly string[];
}
