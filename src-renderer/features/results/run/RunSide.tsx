import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { TitledPanel } from '../../../ui/panels/panels.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import classes from './case/case.module.css';

interface AdvicePanelProps {
  /** False: it holds no advice, only the way to the fix. */
  advises: boolean;
  children: ReactNode;
}

/** What to change so that the model does it next time, and the way there. */
export const AdvicePanel = ({ advises, children }: AdvicePanelProps) => (
  <TitledPanel title={advises ? 'Advice' : 'Next step'} label="Advice">
    <div className={classes.advice}>{children}</div>
  </TitledPanel>
);

/** As many fit beside the evidence; the rest is one click away. */
export const shownAtOnce = 5;

interface SameRunsProps {
  label: string;
  /** How many others there are, and what they are called. */
  total: number;
  noun: string;
  runs: readonly { to: string; text: string; repetition: number }[];
  /** Whether runs are told apart by their repetition. */
  repeated: boolean;
  /** Where all are listed. */
  all: string;
}

/** The other runs of the model that failed the same way, each as a link. */
export function SameRuns({ label, total, noun, runs, repeated, all }: SameRunsProps) {
  const row = (to: string, text: ReactNode) => (
    <li key={to}>
      <Link className="ts-row-link" to={to}>
        {text}
        <IconChevronRight size={14} aria-hidden className={classes.chevron} />
      </Link>
    </li>
  );
  return (
    <TitledPanel
      title={`${counted(total, noun)} ${total === 1 ? 'fails' : 'fail'} the same way`}
      label={label}
    >
      <ul className="ts-rows">
        {runs.map(({ to, text, repetition }) =>
          row(
            to,
            <span className={classes.query}>
              <Foreign text={text.slice(0, 300)} />
              {repeated && <span className={classes.quiet}> repetition {repetition}</span>}
            </span>,
          ),
        )}
        {total > runs.length &&
          row(all, <span className={classes.quiet}>Show all {formatCount(total)}</span>)}
      </ul>
    </TitledPanel>
  );
}
