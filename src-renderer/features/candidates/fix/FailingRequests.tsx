import { IconCheck, IconLock, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import {
  casesToAdd,
  failingText,
  onlyHeldOut,
} from '../../../../src-shared/display/candidateTexts.ts';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import type { FailingRequest, ToolProblem } from '../../../../src-shared/domain/candidate.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { MarkedWords } from '../../../ui/text/MarkedWords.tsx';
import { evaluationLink, fixLink } from '../../results/links.ts';
import { AddCases } from './AddCases.tsx';
import classes from './fix.module.css';
import type { Fix } from './useFix.ts';
import { TitledPanel } from '../../../ui/panels/panels.tsx';

/** The requests of the search half that fail, each with what an estimate says about it. */
export function FailingRequests(props: { problem: ToolProblem; evaluationId: string; fix: Fix }) {
  const { problem, evaluationId, fix } = props;
  const { toolId } = fix.target;
  const { unit, failing, moreFailing, hiddenFailing, elsewhere, advice, plan } = problem;
  const title = unit === 'task' ? 'Failing tasks' : 'Failing requests';
  const name = splitToolId(toolId).tool;
  const shown = failing.length + moreFailing;
  const what = unit === 'task' ? 'task' : 'request';
  const words = advice.flatMap(({ evidence }) => evidence.words.map((word) => word.toLowerCase()));
  return (
    <TitledPanel
      title={title}
      aside={<span className={classes.quiet}>{counted(shown, what)}</span>}
    >
      {failing.length > 0 && (
        <ul className={classes.requests} tabIndex={0} aria-label="Requests">
          {failing.map((request) => (
            <li key={request.runId}>
              <Link to={`${evaluationLink(evaluationId)}/runs/${request.runId}`}>
                <MarkedWords text={request.query} words={words} />
              </Link>
              <span className={classes.result}>
                <span className={classes.quiet}>
                  <span className={request.called === null ? undefined : 'ts-mono'}>
                    <Foreign text={failingText(request)} />
                  </span>
                </span>
                <After after={request.after} />
              </span>
            </li>
          ))}
          {moreFailing > 0 && (
            <li className={classes.quiet}>{counted(moreFailing, `more ${what}`)}.</li>
          )}
        </ul>
      )}
      {failing.length === 0 && hiddenFailing === 0 && (
        <p className={classes.body}>
          No failing {unit} expects or calls this tool.
          {plan.proofRuns > plan.proofCases &&
            ` A ${unit} counts as failing here if most of its scored repetitions failed.`}
        </p>
      )}
      {onlyHeldOut(problem) && (
        <div className={classes.body}>
          <p>
            {counted(hiddenFailing, `failing ${unit}`)}{' '}
            {hiddenFailing === 1 ? 'expects or calls' : 'expect or call'} <Foreign text={name} />,
            but {hiddenFailing === 1 ? 'it is' : 'all of them are'} held out for the proof. A fix
            written for {hiddenFailing === 1 ? 'it' : 'them'} would prove nothing, so{' '}
            {hiddenFailing === 1 ? 'it is' : 'they are'} not shown here.
          </p>
          <p>
            Add {counted(casesToAdd(problem.plan), unit)} that need this tool and run the suite
            again. About half of them are shown here if they fail.
          </p>
          <AddCases
            fix={fix}
            unit={unit}
            suiteId={problem.suiteId}
            cases={casesToAdd(problem.plan)}
          />
        </div>
      )}
      {elsewhere.length > 0 && (
        <div className={classes.body}>
          <p>You can see what fails with {elsewhere.length === 1 ? 'this tool' : 'these tools'}:</p>
          <ul className={classes.rows} aria-label="Tools with failures to see">
            {elsewhere.map((one) => (
              <li key={one.toolId}>
                <Link to={fixLink(evaluationId, one.toolId, { model: fix.target.modelSettingsId })}>
                  <Foreign text={splitToolId(one.toolId).tool} />
                </Link>
                <span>{counted(one.failing, what)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {failing.length > 0 && hiddenFailing > 0 && (
        <p className={classes.note}>
          <IconLock size={14} aria-hidden /> {counted(shown + hiddenFailing, `failing ${unit}`)}{' '}
          expect or call <Foreign text={name} />. {formatCount(hiddenFailing)} of them{' '}
          {hiddenFailing === 1 ? 'stays' : 'stay'} hidden so that the proof stays fair.
        </p>
      )}
    </TitledPanel>
  );
}

function After({ after }: Pick<FailingRequest, 'after'>) {
  if (after === null) return null;
  if (after === 'passed')
    return (
      <span className={classes.good}>
        <IconCheck size={14} aria-hidden /> fixed in estimate
      </span>
    );
  return (
    <span className={classes.bad}>
      <IconX size={14} aria-hidden /> {after === 'failed' ? 'still fails' : 'not scored'}
    </span>
  );
}
