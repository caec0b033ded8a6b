import { Text } from '@mantine/core';
import type { RunDetail } from '../../../../src-shared/domain/evaluation.ts';
import type { JsonValue } from '../../../../src-shared/domain/json.ts';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import { visibleText } from '../../../ui/text/visibleText.ts';
import { type AlignedPair, AlignedTrees } from '../../../ui/trees/AlignedTrees.tsx';
import classes from '../evaluations.module.css';
import { verdictWords } from '../evaluationWords.ts';
import { actualName, type CallPair, callPairs, expectedName, isMatcher } from './callPairs.ts';

const kindWords: Record<CallPair['kind'], { tone: StatusTone; label: string }> = {
  matched: { tone: 'good', label: 'The expected tool' },
  confused: { tone: 'bad', label: 'Another tool' },
  missing: { tone: 'bad', label: 'Not called' },
  extra: { tone: 'bad', label: 'Not expected' },
  allowed: { tone: 'idle', label: 'Allowed, not judged' },
};

/** Every expected call next to the actual call it is compared with. */
export function CallPairs({ detail }: { detail: RunDetail }) {
  const pairs = callPairs(detail);
  const scored = detail.score !== null;
  return (
    <div className={`ts-panel ${classes.box ?? ''}`}>
      {pairs.length === 0 && (
        <Text>No call was expected{scored ? ', and none was made.' : '.'}</Text>
      )}
      {pairs.map((pair) => (
        <article
          key={pair.key}
          className={classes.call}
          aria-label={visibleText(
            `${pair.expected === null ? 'No call expected' : expectedName(pair.expected)} ` +
              `against ${pair.actual === null ? 'no call' : actualName(pair.actual)}`,
          )}
        >
          <div className={classes.callHead}>
            <span className={classes.callSide}>
              <small>expected</small>
              {pair.expected === null ? (
                <span className={classes.quiet}>no call</span>
              ) : (
                <span className={classes.callName}>
                  <Foreign text={expectedName(pair.expected)} limit={400} />
                </span>
              )}
            </span>
            <span className={classes.callSide}>
              <small>actual</small>
              <Actual pair={pair} scored={scored} />
            </span>
          </div>
          {(scored || pair.actual !== null) && <StatusBadge {...kindWords[pair.kind]} />}
          <Arguments pair={pair} />
        </article>
      ))}
    </div>
  );
}

function Actual({ pair, scored }: { pair: CallPair; scored: boolean }) {
  const { actual } = pair;
  if (actual === null)
    return (
      <span className={classes.quiet}>{scored ? 'no call' : 'none, the run was not scored'}</span>
    );
  return (
    <>
      <span className={classes.callName}>
        <Foreign text={actualName(actual)} limit={400} />
      </span>
      {actual.tool === null && <small>a phantom: no tool of this name was offered</small>}
    </>
  );
}

function Arguments({ pair }: { pair: CallPair }) {
  const { actual } = pair;
  if (actual !== null && actual.arguments === null) {
    return (
      <CodeView
        label="Arguments that could not be read"
        text={actual.argumentsText ?? ''}
        maxHeight={200}
      />
    );
  }
  const rows = pair.kind === 'matched' ? scoredRows(pair) : unscoredRows(pair);
  if (rows.length === 0) {
    const open = pair.kind === 'matched' && pair.expected?.parameters === undefined;
    return (
      <Text size="sm" c="dimmed" mt="sm">
        {open
          ? 'No arguments were expected by value, and none were sent.'
          : 'No arguments on either side.'}
      </Text>
    );
  }
  return (
    <div className={classes.panelBody}>
      <AlignedTrees caption="Arguments, expected and actual" pairs={rows} isLeaf={isMatcher} />
      {pair.kind === 'confused' && (
        <Text size="xs" c="dimmed" mt="xs">
          Arguments are judged where the tool is the expected one.
        </Text>
      )}
    </div>
  );
}

/**
 * The scorer's rows, followed by arguments without a row, so that everything the model sent is
 * visible.
 */
function scoredRows(pair: CallPair): AlignedPair[] {
  const rows = pair.verdicts.map((row, index): AlignedPair => {
    const { tone, label } = verdictWords[row.verdict];
    return {
      key: `${index} ${row.name}`,
      name: row.name,
      expected: row.expected,
      actual: row.actual,
      verdict: <StatusBadge tone={tone} label={label} />,
      reason: row.reason,
      equal: row.verdict === 'matched' || row.verdict === 'ignored' || row.verdict === 'not_scored',
    };
  });
  const named = new Set(pair.verdicts.map(({ name }) => name));
  return [
    ...rows,
    ...plainRows(pair.expected?.parameters, pair.actual?.arguments ?? undefined, named),
  ];
}

function unscoredRows(pair: CallPair): AlignedPair[] {
  return plainRows(pair.expected?.parameters, pair.actual?.arguments ?? undefined, new Set());
}

function plainRows(
  expected: Record<string, JsonValue> | undefined,
  actual: Record<string, JsonValue> | undefined,
  known: ReadonlySet<string>,
): AlignedPair[] {
  const names = new Set([...Object.keys(expected ?? {}), ...Object.keys(actual ?? {})]);
  return [...names]
    .filter((name) => !known.has(name))
    .map((name) => ({
      key: `plain ${name}`,
      name,
      expected: expected?.[name],
      actual: actual?.[name],
      verdict: <StatusBadge tone="idle" label="Not judged" />,
      reason: '',
      equal: true,
    }));
}
