import { Link } from 'react-router';
import { Fragment } from 'react';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { NO_TOOL, PHANTOM, splitToolId } from '../../../../src-shared/domain/labels.ts';
import { outcomes, type Outcome } from '../../../../src-shared/domain/outcome.ts';
import { toolAddress } from '../../../../src-shared/display/toolAddresses.ts';
import type { ToolPage } from '../../../../src-shared/domain/toolPage.ts';
import { Fold, TitledPanel } from '../../../ui/panels/panels.tsx';
import { OutcomeBar, OutcomeMark } from '../../../ui/outcome/outcomes.tsx';
import { shortModelName } from '../../../../src-shared/display/shortModelName.ts';
import { visibleText, Cut, PlainText } from '../../../ui/text/Foreign.tsx';
import classes from './tool.module.css';

const maxInstead = 6;
const maxCases = 14;

/** How the cases of the tool came out with each model, and what was called instead. */
export function Outcomes({ page: { cases, result } }: { page: ToolPage }) {
  return (
    <TitledPanel
      title={
        cases.length === 0
          ? 'No case expects it'
          : `${counted(cases.length, 'case')} ${cases.length === 1 ? 'expects' : 'expect'} it`
      }
      label="Outcome"
      aside={result !== null && <Link to={`/results/${result.id}`}>Result #{result.number}</Link>}
    >
      {result === null ? (
        <p className={`${classes.body ?? ''} ${classes.quiet ?? ''}`}>
          {cases.length === 0
            ? 'Add cases to see whether models call it when they should.'
            : 'No result has scored these cases yet. Run their suite to see how they come out.'}
        </p>
      ) : (
        <>
          <div className={classes.models}>
            {result.models.map(({ id, name, scored, outcomes: found }) => (
              <Fragment key={id}>
                <Cut text={name} />
                <OutcomeBar counts={allOutcomes(found)} />
                <span className="ts-number">
                  {formatCount(found.passed ?? 0)} of {formatCount(scored)}
                </span>
              </Fragment>
            ))}
          </div>
          {result.instead.length > 0 && <Instead result={result} />}
        </>
      )}
    </TitledPanel>
  );
}

/** With zeros, as a bar reads counts. */
const allOutcomes = (found: Partial<Record<Outcome, number>>): Record<Outcome, number> =>
  Object.fromEntries(outcomes.map((one) => [one, found[one] ?? 0])) as Record<Outcome, number>;

interface ModelHeadProps {
  name: string;
  of: readonly { name: string }[];
  className: string | undefined;
}

/** A column of one model: its name without the provider, on a few lines. */
const ModelHead = ({ name, of, className }: ModelHeadProps) => (
  <th scope="col" className={className} title={visibleText(name)}>
    <span className={classes.head}>
      <PlainText
        text={shortModelName(
          name,
          of.map((model) => model.name),
        )}
      />
    </span>
  </th>
);

function Instead({ result }: { result: NonNullable<ToolPage['result']> }) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label="Called instead of it">
        <thead>
          <tr>
            <th scope="col">Called instead of it</th>
            {result.models.map(({ id, name }) => (
              <ModelHead key={id} name={name} of={result.models} className={classes.number} />
            ))}
          </tr>
        </thead>
        <tbody>
          {result.instead.slice(0, maxInstead).map(({ called, times }) => (
            <tr key={called}>
              <td>
                <Called called={called} />
              </td>
              {times.map((count, at) => (
                <td key={at} className={classes.number}>
                  {count === 0 ? '–' : formatCount(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Called({ called }: { called: string }) {
  if (called === NO_TOOL)
    return (
      <span className={classes.called}>
        <OutcomeMark outcome="no_tool_called" decorative /> no tool
      </span>
    );
  if (called === PHANTOM)
    return (
      <span className={classes.called}>
        <OutcomeMark outcome="made_up_tool" decorative /> a tool that was not offered
      </span>
    );
  return (
    <span className={classes.called}>
      <OutcomeMark outcome="wrong_tool" decorative />
      <Link to={toolAddress(called)} className="ts-mono">
        <PlainText text={splitToolId(called).tool} />
      </Link>
    </span>
  );
}

/** The cases that expect the tool with their outcome per model, failures first. */
export function Cases({ page: { cases, result } }: { page: ToolPage }) {
  if (cases.length === 0) return null;
  const [shown, more] = [cases.slice(0, maxCases), cases.slice(maxCases)];
  return (
    <TitledPanel
      title="Cases"
      aside={result !== null && <span className={classes.quiet}>failures first</span>}
    >
      <CaseRows cases={shown} result={result} headed />
      {more.length > 0 && (
        <div className={classes.body}>
          <Fold title={counted(more.length, 'more case')}>
            <CaseRows cases={more} result={result} />
          </Fold>
        </div>
      )}
    </TitledPanel>
  );
}

function CaseRows(props: {
  cases: ToolPage['cases'];
  result: ToolPage['result'];
  headed?: boolean;
}) {
  const { cases, result, headed = false } = props;
  const models = result?.models ?? [];
  return (
    <table className={`${classes.table ?? ''} ${classes.cases ?? ''}`} aria-label="Cases">
      <thead className={headed ? undefined : 'ts-visually-hidden'}>
        <tr>
          <th scope="col">Request</th>
          {models.map(({ id, name }) => (
            <ModelHead key={id} name={name} of={models} className={classes.mark} />
          ))}
        </tr>
      </thead>
      <tbody>
        {cases.map(({ id, suiteId, query, runs }) => (
          <tr key={id}>
            <td>
              <Link to={`/suites/${suiteId}?case=${encodeURIComponent(id)}`}>
                <Cut text={query} />
              </Link>
            </td>
            {runs.map((run, at) => (
              <td key={at} className={classes.mark}>
                {run === null || result === null ? (
                  <span className={classes.quiet}>–</span>
                ) : (
                  <Link to={`/results/${result.id}/runs/${run.runId}`}>
                    <OutcomeMark outcome={run.outcome} quiet />
                  </Link>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
