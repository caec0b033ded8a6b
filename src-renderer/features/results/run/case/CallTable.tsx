import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import type { Outcome } from '../../../../../src-shared/domain/outcome.ts';
import { outcomeClass } from '../../../../ui/outcome/outcomes.tsx';
import { CodeView } from '../../../../ui/text/CodeView.tsx';
import {
  BreakableName,
  Foreign,
  TextParts,
  firstCharacters,
  visibleText,
} from '../../../../ui/text/Foreign.tsx';
import { ArgumentCells, DifferenceMark } from './ArgumentCells.tsx';
import { argumentRows } from './argumentRows.ts';
import classes from './case.module.css';
import {
  actualName,
  callPairs,
  expectedName,
  type CallPair,
} from '../../../../../src-shared/display/callPairs.ts';
import { hasSeveralServers } from './runSentence.ts';
import { Fold, TitledPanel } from '../../../../ui/panels/panels.tsx';

/** The color of a pair's differences: that of the outcome it leads to. */
function outcomeOfPair({ kind, actual }: CallPair): Outcome {
  if (actual?.tool === null) return 'made_up_tool';
  if (kind === 'confused') return 'wrong_tool';
  if (kind === 'missing') return 'no_tool_called';
  return kind === 'extra' ? 'unneeded_call' : 'wrong_arguments';
}

type CallTableProps = Pick<RunDetail, 'case' | 'calls' | 'score' | 'offered'>;

/**
 * Expected and actual calls side by side: one group of rows per call, its tool first, then one row
 * per argument. Only differences are marked.
 */
export function CallTable(detail: CallTableProps) {
  const pairs = callPairs(detail);
  const scored = detail.score !== null;
  const severalServers = hasSeveralServers(detail);
  if (pairs.length === 0)
    return (
      <p className={classes.none}>
        {scored ? 'No call was expected, and none was made.' : 'No call was expected.'}
      </p>
    );
  return (
    <div className={classes.scroller} role="region" aria-label="Calls" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.nameColumn}>
              <span className="ts-visually-hidden">Argument</span>
            </th>
            <th scope="col">Expected</th>
            <th scope="col">Actual</th>
          </tr>
        </thead>
        {pairs.map((pair) => (
          <PairRows key={pair.key} pair={pair} scored={scored} severalServers={severalServers} />
        ))}
      </table>
    </div>
  );
}

function PairRows(props: { pair: CallPair; scored: boolean; severalServers: boolean }) {
  const { pair, scored, severalServers } = props;
  const { expected, actual, kind } = pair;
  const differs = scored && kind !== 'matched' && kind !== 'allowed';
  const unreadable = actual !== null && actual.arguments === null;
  return (
    <tbody
      className={outcomeClass}
      data-outcome={outcomeOfPair(pair)}
      aria-label={visibleText(
        `${expected === null ? 'No call expected' : expectedName(expected)} ` +
          `compared with ${actual === null ? 'no call' : actualName(actual)}`,
      )}
    >
      <tr data-differs={differs}>
        <th scope="row">Tool</th>
        <td>
          {expected === null ? (
            <span className={classes.quiet}>No call expected</span>
          ) : (
            <ToolName name={expectedName(expected, severalServers)} />
          )}
        </td>
        <td className={classes.actual}>
          {actual === null ? (
            scored ? (
              <DifferenceMark kind="missing">Not called</DifferenceMark>
            ) : (
              <span className={classes.quiet}>No call was recorded</span>
            )
          ) : (
            <ToolName name={actualName(actual, severalServers)} />
          )}
          {actual?.note !== undefined && (
            <Foreign as="div" className={classes.quiet} text={actual.note} limit={400} />
          )}
          {scored && actual !== null && <ToolMark pair={pair} />}
        </td>
      </tr>
      {unreadable ? (
        <tr data-differs>
          <th scope="row">Arguments</th>
          <td />
          <td className={classes.actual}>
            <CodeView label="Not a JSON object" text={actual.argumentsText ?? ''} maxHeight={200} />
          </td>
        </tr>
      ) : (
        argumentRows(pair).map((row) => (
          <ArgumentCells key={row.key} row={row} called={actual !== null} />
        ))
      )}
    </tbody>
  );
}

function ToolName({ name }: { name: string }) {
  return (
    <span className={classes.toolName}>
      <BreakableName name={firstCharacters(name, 400)} />
    </span>
  );
}

function ToolMark({ pair: { kind, actual } }: { pair: CallPair }) {
  if (actual?.tool === null)
    return <DifferenceMark kind="different">Made-up tool: it was not offered</DifferenceMark>;
  if (kind === 'confused') return <DifferenceMark kind="different">Different tool</DifferenceMark>;
  if (kind === 'extra') return <DifferenceMark kind="added">Unneeded call</DifferenceMark>;
  return kind === 'allowed' ? (
    <span className={classes.reason}>Also allowed, not scored</span>
  ) : null;
}

/** What was expected and what came: the calls, and below them the text of the reply. */
export function CallPanel({ detail }: { detail: RunDetail }) {
  const { text, calls } = detail;
  const several = Math.max(detail.case.expectedCalls.length, calls.length) > 1;
  return (
    <TitledPanel
      title={`Expected and actual ${several ? 'calls' : 'call'}`}
      label="Expected and actual call"
      aside={<span className={classes.note}>{noteOf(detail)}</span>}
    >
      <CallTable {...detail} />
      {text !== null && text !== '' && (
        <Fold
          title="Text of the reply"
          hint={calls.length === 0 ? undefined : <TextParts text={firstCharacters(text, 200)} />}
          openFirst={calls.length === 0}
        >
          <Foreign block text={text} />
        </Fold>
      )}
    </TitledPanel>
  );
}

/** What a reader needs to know to read the table. */
function noteOf(detail: RunDetail): string {
  if (detail.score === null) return '';
  if (callPairs(detail).some(({ kind }) => kind === 'confused'))
    return 'Arguments aren’t scored when the tool is wrong';
  return detail.case.orderDependent && detail.case.expectedCalls.length > 1
    ? 'The calls must be made in this order'
    : '';
}
