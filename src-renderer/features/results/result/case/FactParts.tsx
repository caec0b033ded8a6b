import type { UseQueryResult } from '@tanstack/react-query';
import { refusedText } from '../../../../../src-shared/domain/refusedSetting.ts';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { argumentsModeTexts } from '../../../../../src-shared/display/evaluationTexts.ts';
import {
  tokenSourceTexts,
  type Counts as CountsOf,
} from '../../../../../src-shared/domain/metrics.ts';
import { Fields } from '../../../../ui/fields/Fields.tsx';
import {
  NOT_DEFINED,
  formatCount,
  formatDuration,
  formatExact,
  formatUsd,
  counted,
} from '../../../../../src-shared/display/numbers.ts';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { Section } from '../../../../ui/panels/panels.tsx';
import { Finding } from '../../../../ui/verdict/Finding.tsx';
import { classWords, metricMeaning } from '../../evaluationWords.ts';
import { nameModels } from '../../modelNames.ts';
import type { ResultNumbers } from '../../live/liveNumbers.ts';
import { costFinding } from './tabFindings.ts';
import type { OutcomeCounts } from '../../../../../src-shared/domain/outcome.ts';
import { ClassMark } from '../../../../ui/badges/ClassMark.tsx';
import { Term } from '../../../../ui/text/Term.tsx';
import classes from '../../evaluations.module.css';
import type { ToolSnapshot } from '../../../../../src-shared/domain/tool.ts';
import { ErrorNotice } from '../../../../ui/notices/notices.tsx';
import { SentToolsOfModels, useSentTools } from '../../SentToolsList.tsx';
import { SnapshotTab } from './SnapshotTab.tsx';

/** What the answers cost and how long they took; numbers that nobody reported are left out. */
export function CostFacts({ numbers }: { numbers: ResultNumbers }) {
  const { counts, latencyMs, tokens, costUsd, tokenSource, durationMs } = numbers;
  const scored = counted(counts.tp + counts.fp + counts.tn + counts.fn, 'scored run');
  const source = tokenSource === null ? '' : ` (${tokenSourceTexts[tokenSource]})`;
  const rows = [
    { name: 'Cost', meaning: metricMeaning.cost, value: formatUsd(costUsd) },
    {
      name: 'Tokens in',
      meaning: metricMeaning.tokensIn,
      value: withUnit(formatCount(tokens?.input), source),
    },
    {
      name: 'Tokens out',
      meaning: metricMeaning.tokensOut,
      value: withUnit(formatCount(tokens?.output), source),
    },
    {
      name: 'Median time (p50)',
      meaning: metricMeaning.latencyP50,
      value: withUnit(formatDuration(latencyMs.p50), `, over ${scored}`),
    },
    {
      name: '95th percentile time (p95)',
      meaning: metricMeaning.latencyP95,
      value: withUnit(formatDuration(latencyMs.p95), `, over ${scored}`),
    },
    {
      name: 'Whole evaluation',
      meaning: metricMeaning.duration,
      value: formatDuration(durationMs),
    },
  ].filter(({ value }) => value !== NOT_DEFINED);
  return (
    <>
      <Finding {...costFinding(numbers)} />
      {rows.length > 0 && <Fields rows={rows} />}
    </>
  );
}

function withUnit(value: string, unit: string): string {
  return value === NOT_DEFINED ? value : `${value}${unit}`;
}

function Settings({ evaluation }: { evaluation: Evaluation }) {
  const { settings, models } = evaluation;
  const names = nameModels(models);
  return (
    <>
      <Section title="Evaluation">
        <Fields
          rows={[
            {
              name: 'Servers',
              value: settings.servers === null ? 'Those of each case' : settings.servers.join(', '),
            },
            { name: 'Repetitions', value: formatCount(settings.repetitions) },
            { name: 'Concurrency', value: counted(settings.concurrency, 'parallel run') },
            { name: 'High confidence from', value: formatExact(settings.highConfidence) },
            { name: 'Arguments mode', value: argumentsModeTexts[settings.argumentsMode] },
            ...(settings.recordFile === null
              ? []
              : [{ name: 'Recorded to', value: <Foreign text={settings.recordFile} /> }]),
          ]}
        />
      </Section>
      {models.map((model) => (
        <Section key={model.id} title={names.get(model.id) ?? model.model}>
          <Fields
            rows={[
              { name: 'Model', value: <Foreign text={model.model} /> },
              { name: 'Timeout', value: `${formatCount(model.timeout)} s` },
              {
                name: 'Temperature',
                value: sentWord(model.sent, 'temperature', model.temperature),
              },
              { name: 'Retries', value: formatCount(model.maxRetries) },
              ...(model.maxWait === null
                ? []
                : [{ name: 'Longest wait', value: `${formatCount(model.maxWait)} s` }]),
              ...(model.baseUrl === null
                ? []
                : [{ name: 'Base URL', value: <Foreign text={model.baseUrl} /> }]),
              ...(model.replayFile === null
                ? []
                : [{ name: 'Recording', value: <Foreign text={model.replayFile} /> }]),
              {
                name: 'System prompt',
                value: model.systemPrompt === null ? 'None' : <Foreign text={model.systemPrompt} />,
              },
              { name: 'Sent to the model', value: <Foreign text={sentWords(model.sent)} /> },
              ...(model.refused ?? []).map((refused) => ({
                name: 'Refused by the endpoint',
                value: <Foreign text={`${refusedText(refused)} It said: ${refused.said}`} />,
              })),
            ]}
          />
        </Section>
      ))}
    </>
  );
}

type Sent = Evaluation['models'][number]['sent'];

function sentWord(sent: Sent, name: string, value: number | null): string {
  if (value === null) return 'Not sent';
  return sent[name] === undefined || sent[name] === null
    ? `${formatExact(value)}, not sent: this model doesn’t support it`
    : formatExact(value);
}

function sentWords(sent: Sent): string {
  const parts = Object.entries(sent).filter(([, value]) => value !== null);
  return parts.length === 0
    ? 'No setting'
    : parts.map(([name, value]) => `${name} ${String(value)}`).join(', ');
}

const order = ['TP', 'FN', 'FP', 'TN'] as const;

/** Number of runs per class with its definition; classes without runs are left out. */
interface CountsProps {
  counts: CountsOf;
  /** Known for one evaluation: runs that were cancelled are then not run, not unscored. */
  outcomes?: OutcomeCounts;
}

function Counts({ counts, outcomes }: CountsProps) {
  const notScored = outcomes?.not_scored ?? counts.failed;
  const notRun = outcomes?.not_run ?? counts.open;
  const key = { TP: 'tp', FN: 'fn', FP: 'fp', TN: 'tn' } as const;
  const shown = order.filter((one) => counts[key[one]] > 0);
  return (
    <span className={classes.counts}>
      {shown.map((one) => (
        <span key={one} className={classes.count}>
          <Term name={key[one]}>
            <ClassMark outcome={classWords[one].outcome} letters={one} />
          </Term>
          {formatCount(counts[key[one]])}{' '}
          <span className={classes.quiet}>{classWords[one].word}</span>
        </span>
      ))}
      {notScored > 0 && (
        <span className={classes.count}>
          <Term name="notScored">
            <ClassMark outcome="failed" letters="!" />
          </Term>
          {formatCount(notScored)} <span className={classes.quiet}>not scored</span>
        </span>
      )}
      {notRun > 0 && <span className={classes.quiet}>{formatCount(notRun)} not run</span>}
    </span>
  );
}

interface SettingsProps {
  evaluation: Evaluation;
  numbers: ResultNumbers;
  outcomes: OutcomeCounts;
  snapshot: UseQueryResult<ToolSnapshot | null>;
}

/** What was run and how: the four classes, the settings and the tools as they were frozen. */
export function SettingsPart({ evaluation, numbers, outcomes, snapshot }: SettingsProps) {
  const sent = useSentTools(evaluation.id, snapshot.data?.id ?? null) ?? [];
  return (
    <>
      <Section title="Runs by class">
        <Counts counts={numbers.counts} outcomes={outcomes} />
      </Section>
      <Settings evaluation={evaluation} />
      <Section title="Tools offered">
        <SentToolsOfModels accounts={sent} models={evaluation.models} />
        {snapshot.error === null ? (
          <SnapshotTab evaluationId={evaluation.id} snapshot={snapshot.data ?? null} />
        ) : (
          <ErrorNotice error={snapshot.error} onRetry={() => void snapshot.refetch()} />
        )}
      </Section>
    </>
  );
}
