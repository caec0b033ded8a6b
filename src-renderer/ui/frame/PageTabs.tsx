import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import classes from './PageTabs.module.css';

interface PageTab<Name extends string> {
  value: Name;
  name: string;
  /** How many the tab lists; null if it lists nothing. */
  count?: number | null;
  /** What the tab shows, where its name does not say it. */
  hint?: string;
  panel: ReactNode;
}

interface PageTabsProps<Name extends string> {
  label: string;
  tabs: readonly PageTab<Name>[];
  shown: Name;
  onShow: (tab: Name) => void;
  /** What stands at the end of their row. */
  aside?: ReactNode;
}

export function PageTabs<Name extends string>(props: PageTabsProps<Name>) {
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
      <div className={classes.row}>
        <Tabs.List aria-label={label}>
          {tabs.map(({ value, name, count = null, hint }) => (
            <Tabs.Tab key={value} value={value} title={hint}>
              {name}
              {count !== null && ' '}
              {count !== null && <span className={classes.count}>{formatCount(count)}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {aside}
      </div>
      <div className={classes.panel}>
        {tabs.map(({ value, panel }) => (
          <Tabs.Panel key={value} value={value}>
            {panel}
          </Tabs.Panel>
        ))}
      </div>
    </Tabs>
  );
}
