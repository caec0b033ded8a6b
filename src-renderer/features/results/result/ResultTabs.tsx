import { Anchor } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { PageTabs } from '../../../ui/frame/PageTabs.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import classes from '../evaluations.module.css';
import {
  type ChangeAddress,
  numberSections,
  readAddress,
  resultTabs,
  type NumberSection,
  type ResultAddress,
  type ResultTab,
  writeAddress,
} from './case/resultAddress.ts';

/** The address of a result's page, with a model that the result has, and how to change it. */
export function useResultAddress(
  models: readonly { id: string }[],
): [ResultAddress, ChangeAddress] {
  const [params, setParams] = useSearchParams();
  const address = useMemo((): ResultAddress => {
    const read = readAddress(params);
    return models.some(({ id }) => id === read.model) ? read : { ...read, model: null };
  }, [params, models]);
  const change = useCallback(
    (part: Partial<ResultAddress>) =>
      setParams((before) => writeAddress({ ...readAddress(before), ...part }), { replace: true }),
    [setParams],
  );
  return [address, change];
}

interface ResultTabsProps {
  failed: number;
  runs: number;
  panels: Readonly<Record<ResultTab, ReactNode>>;
  shown: ResultTab;
  onChange: ChangeAddress;
  aside?: ReactNode;
}

const names = { failures: 'Failures', runs: 'All runs', numbers: 'Numbers' };

/** Everything behind a verdict: what failed, every run, and every number. */
export function ResultTabs({ failed, runs, panels, shown, onChange, aside }: ResultTabsProps) {
  const counts = { failures: failed, runs, numbers: null };
  return (
    <PageTabs
      label="Result"
      tabs={resultTabs.map((value) => ({
        ...{ value, name: names[value], count: counts[value], panel: panels[value] },
      }))}
      shown={shown}
      onShow={(tab) => onChange({ tab, section: null })}
      aside={aside}
    />
  );
}

const titles: Record<NumberSection, string> = {
  models: 'Models',
  matrix: 'Matrix',
  tools: 'Tools',
  arguments: 'Arguments',
  confidence: 'Confidence',
  repetitions: 'Repetitions',
  checks: 'Tasks and checks',
  cost: 'Cost and time',
  settings: 'Settings',
  derived: 'Estimates and searches',
};

interface NumberSectionsProps {
  /** What is left out of them has no section. */
  parts: Readonly<Partial<Record<NumberSection, ReactNode>>>;
  /** The one that is scrolled to. */
  wanted: NumberSection | null;
  onChange: ChangeAddress;
}

/** Every number of a result, in sections with links to each. */
export function NumberSections({ parts, wanted, onChange }: NumberSectionsProps) {
  const shown = numberSections.filter((each) => parts[each] !== undefined);
  return (
    <div>
      <nav aria-label="Numbers" className={classes.sectionLinks}>
        {shown.map((each) => (
          <Anchor
            key={each}
            component="button"
            type="button"
            size="sm"
            onClick={() => onChange({ section: each })}
          >
            {titles[each]}
          </Anchor>
        ))}
      </nav>
      {shown.map((each) => (
        <Part key={each} title={titles[each]} isWanted={each === wanted}>
          {parts[each]}
        </Part>
      ))}
    </div>
  );
}

function Part(props: { title: string; isWanted: boolean; children: ReactNode }) {
  const { title, isWanted, children } = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isWanted) box.current?.scrollIntoView({ block: 'start' });
  }, [isWanted]);
  return (
    <div ref={box} className={classes.section}>
      <Section title={title}>{children}</Section>
    </div>
  );
}
