import { Link } from 'react-router';
import { Action } from '../../../ui/fields/Action.tsx';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import type { CandidateSubject } from '../../../../src-shared/domain/candidate.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { AddCases } from './AddCases.tsx';
import classes from './fix.module.css';
import type { Fix } from './useFix.ts';
import { TitledPanel } from '../../../ui/panels/TitledPanel.tsx';

/** Which cases there are for a tool that no result has offered, and what an estimate needs. */
export function WithoutResult({ subject, fix }: { subject: CandidateSubject; fix: Fix }) {
  const [suite] = subject.suites;
  const cases = subject.suites.reduce((sum, one) => sum + one.cases, 0);
  return (
    <TitledPanel
      title={cases === 0 ? 'No case expects it' : `${counted(cases, 'case')} expect it`}
      label="What a proof needs"
    >
      <div className={classes.body}>
        <p>
          {cases === 0
            ? 'An estimate and a proof need cases that expect this tool, and a result of them.'
            : 'An estimate and a proof need a result of these cases. Run them once.'}
        </p>
        {subject.suites.length > 0 && (
          <ul className={classes.rows}>
            {subject.suites.map(({ id, name, cases: own }) => (
              <li key={id}>
                <Link to={`/suites/${id}`}>
                  <Foreign text={name} />
                </Link>
                <span>{formatCount(own)}</span>
              </li>
            ))}
          </ul>
        )}
        {suite !== undefined && (
          <Action label="Run evaluation" filled to={`/results/new?suite=${suite.id}`} fullWidth />
        )}
        <AddCases fix={fix} unit="case" suiteId={suite?.id ?? null} />
      </div>
    </TitledPanel>
  );
}
