import { IconX } from '@tabler/icons-react';
import {
  causeTitle,
  outcomesInOrder,
  plainText,
} from '../../../../../src-shared/display/verdictTexts.ts';
import { outcomeTexts } from '../../../../../src-shared/display/outcomeTexts.ts';
import type { Outcome } from '../../../../../src-shared/domain/outcome.ts';
import { SearchField } from '../../../../ui/fields/choices.tsx';
import { formatCount, counted } from '../../../../../src-shared/display/numbers.ts';
import { OutcomeMark } from '../../../../ui/outcome/outcomes.tsx';
import { PlainText } from '../../../../ui/text/Foreign.tsx';
import classes from '../../evaluations.module.css';
import { confusionSentence } from './confusions.ts';
import type { CaseTabProps } from './resultAddress.ts';

interface CaseFiltersProps extends Omit<CaseTabProps, 'evaluation'> {
  /** Number of runs that match the filter; null while loading. */
  total: number | null;
  nameOf: (label: string) => string;
}

/** Chips that filter the list by outcome, each with its count. */
export function CaseFilters({ address, verdict, total, nameOf, onChange }: CaseFiltersProps) {
  const toggle = (outcome: Outcome): void => {
    const { outcomes } = address;
    onChange({
      outcomes: outcomes.includes(outcome)
        ? outcomes.filter((other) => other !== outcome)
        : [...outcomes, outcome],
    });
  };
  const offered = outcomesInOrder(verdict.counts).map(({ outcome }) => outcome);
  const missing = address.outcomes.filter((outcome) => !offered.includes(outcome));
  return (
    <>
      <SearchField
        label="Search cases"
        value={address.search}
        onChange={(search) => onChange({ search: search.slice(0, 500) })}
      />
      <span className={classes.total} role="status">
        {total === null ? '' : counted(total, 'run')}
      </span>
      <div
        className={`${classes.filters ?? ''} ${classes.ownLine ?? ''}`}
        role="group"
        aria-label="Filter cases"
      >
        {[...offered, ...missing].map((outcome) => (
          <button
            key={outcome}
            type="button"
            className={classes.chip}
            aria-pressed={address.outcomes.includes(outcome)}
            title={outcomeTexts[outcome].meaning}
            onClick={() => toggle(outcome)}
          >
            <OutcomeMark outcome={outcome} quiet decorative /> {outcomeTexts[outcome].title}{' '}
            {formatCount(verdict.counts[outcome])}
          </button>
        ))}
        {address.cause !== null && (
          <Removable
            label="Show all causes"
            text={plainText(causeTitle(address.cause, verdict.severalServers))}
            onRemove={() => onChange({ cause: null })}
          />
        )}
        {address.cell !== null && (
          <Removable
            label="Show cases of all cells"
            text={cellText(address.cell, nameOf)}
            onRemove={() => onChange({ cell: null })}
          />
        )}
      </div>
    </>
  );
}

function cellText(
  cell: { expected: string; selected: string },
  nameOf: (label: string) => string,
): string {
  if (cell.expected === cell.selected) return `${nameOf(cell.expected)}, correct`;
  return confusionSentence(cell, nameOf);
}

function Removable(props: { label: string; text: string; onRemove: () => void }) {
  const { label, text, onRemove } = props;
  return (
    <button
      type="button"
      className={`${classes.chip ?? ''} ${classes.cellChip ?? ''}`}
      aria-label={label}
      onClick={onRemove}
    >
      <PlainText as="span" text={text} />
      <IconX size={13} aria-hidden />
    </button>
  );
}
