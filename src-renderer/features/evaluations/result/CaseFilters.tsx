import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Counts } from '../../../../src-shared/domain/metrics.ts';
import type { Classification } from '../../../../src-shared/domain/score.ts';
import { formatCount } from '../../../ui/estimate/format.ts';
import { OutcomeMark } from '../../../ui/badges/OutcomeMark.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { classWords } from '../evaluationWords.ts';
import { confusionSentence } from './mostConfused.ts';
import type { ResultAddress } from './resultAddress.ts';

interface CaseFiltersProps {
  address: ResultAddress;
  counts: Counts;
  /** Number of cases that match the filter; null while loading. */
  total: number | null;
  nameOf: (label: string) => string;
  onChange: (change: Partial<ResultAddress>) => void;
}

const chips = [
  ['FN', 'fn'],
  ['FP', 'fp'],
  ['TP', 'tp'],
  ['TN', 'tn'],
] as const;

/** Chips that filter the list of cases, each with its count. */
export function CaseFilters({ address, counts, total, nameOf, onChange }: CaseFiltersProps) {
  const failed = address.statuses.includes('failed');
  const open = address.statuses.includes('pending');
  const wrong = address.passed === false;
  const toggle = (one: Classification): void => {
    const has = address.classes.includes(one);
    onChange({
      classes: has ? address.classes.filter((other) => other !== one) : [...address.classes, one],
      statuses: [],
      passed: null,
    });
  };
  const alone = (change: Partial<ResultAddress>): void => {
    onChange({ classes: [], statuses: [], passed: null, ...change });
  };
  return (
    <>
      <SearchField
        label="Search cases"
        value={address.search}
        onChange={(search) => {
          onChange({ search: search.slice(0, 500) });
        }}
      />
      <span className={classes.total} role="status">
        {total === null ? '' : counted(total, 'run')}
      </span>
      <div className={classes.filters} role="group" aria-label="Filter cases by state">
        {(counts.failed > 0 || failed) && (
          <Chip
            pressed={failed}
            title="Runs in trouble; they are in no rate."
            onPress={() => {
              alone(failed ? {} : { statuses: ['failed'] });
            }}
          >
            <OutcomeMark outcome="failed" letters="!" /> Not scored {formatCount(counts.failed)}
          </Chip>
        )}
        {(counts.open > 0 || open) && (
          <Chip
            pressed={open}
            title="Runs that have not ended."
            onPress={() => {
              alone(open ? {} : { statuses: ['pending', 'running'] });
            }}
          >
            Open {formatCount(counts.open)}
          </Chip>
        )}
      </div>
      <div
        className={`${classes.filters ?? ''} ${classes.ownLine ?? ''}`}
        role="group"
        aria-label="Filter cases"
      >
        {chips.map(([one, key]) => (
          <Chip
            key={one}
            pressed={address.classes.includes(one) && !wrong}
            title={classWords[one].meaning}
            onPress={() => {
              toggle(one);
            }}
          >
            <OutcomeMark outcome={classWords[one].outcome} letters={one} />{' '}
            {formatCount(counts[key])}
          </Chip>
        ))}
        <Chip
          pressed={wrong}
          title="The right tool was called, with arguments that are not all right."
          onPress={() => {
            alone(wrong ? {} : { passed: false, classes: ['TP'] });
          }}
        >
          Wrong arguments
        </Chip>
        {address.cell !== null && (
          <button
            type="button"
            className={`${classes.chip ?? ''} ${classes.cellChip ?? ''}`}
            aria-label="Show cases of all cells"
            onClick={() => {
              onChange({ cell: null });
            }}
          >
            <span>
              <PlainText text={cellWords(address.cell, nameOf)} />
            </span>
            <IconX size={13} aria-hidden />
          </button>
        )}
      </div>
    </>
  );
}

function cellWords(
  cell: { expected: string; selected: string },
  nameOf: (label: string) => string,
): string {
  if (cell.expected === cell.selected) return `${nameOf(cell.expected)}, rightly`;
  return confusionSentence({ ...cell, count: 1 }, nameOf);
}

function Chip({
  pressed,
  title,
  onPress,
  children,
}: {
  pressed: boolean;
  title: string;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      className={classes.chip}
      aria-pressed={pressed}
      title={title}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
