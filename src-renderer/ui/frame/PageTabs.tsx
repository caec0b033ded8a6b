import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import classes from './evaluations.module.css';

interface TabOf<Name extends string> {
  value: Name;
  name: string;
  /** How many the tab lists; null if it lists nothing. */
  count?: number | null;
  panel: ReactNode;
}

interface ResultTabsProps<Name extends string> {
  label: string;
  tabs: readonly TabOf<Name>[];
  shown: Name;
  onShow: (tab: Name) => void;
  /** What stands at the end of their row. */
  aside?: ReactNode;
}

/** A row of tabs with the panel of the shown one. */
export function ResultTabs<Name extends string>(props: ResultTabsProps<Name>) {
  const { label, tabs, shown, onShow, aside } = props;
  return (
    <Tabs
      value={shown}
      onChange={(value) => {
        const chosen = tabs.find((tab) => tab.value === value) ?? tabs[0];
        if (chosen !== undefined) onShow(chosen.value);
      }}
      keepMounted={false}
    >
      <div className={classes.tabRow}>
        <Tabs.List aria-label={label}>
          {tabs.map(({ value, name, count = null }) => (
            <Tabs.Tab key={value} value={value}>
              {name}
              {count !== null && <span className={classes.tabCount}>{formatCount(count)}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {aside}
      </div>
      <div className={classes.panelBody}>
        {tabs.map(({ value, panel }) => (
          <Tabs.Panel key={value} value={value}>
            {panel}
          </Tabs.Panel>
        ))}
      </div>
    </Tabs>
  );
}
