import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { tokenSourceTexts, type TokenSource } from '../../../../src-shared/domain/metrics.ts';
import { Fields } from '../../../ui/fields/Fields.tsx';
import {
  formatCount,
  formatDuration,
  formatUsd,
  NOT_DEFINED,
} from '../../../ui/estimate/format.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { counted } from '../../../ui/text/words.ts';
import { metricMeaning } from '../evaluationWords.ts';
import { nameModels } from '../modelNames.ts';
import type { ResultNumbers } from '../live/liveNumbers.ts';

export function LatencyTab({ numbers }: { numbers: ResultNumbers }) {
  const { counts, latencyMs, tokens, costUsd, tokenSource, durationMs } = numbers;
  const scored = counts.tp + counts.fp + counts.tn + counts.fn;
  const over = (value: string): string =>
    value === NOT_DEFINED ? value : `${value}  (n ${counted(scored, 'scored run')})`;
  return (
    <Fields
      rows={[
        {
          name: 'Latency, median (p50)',
          meaning: metricMeaning.latencyP50,
          value: over(formatDuration(latencyMs.p50)),
        },
        {
          name: 'Latency, p95',
          meaning: metricMeaning.latencyP95,
          value: over(formatDuration(latencyMs.p95)),
        },
        {
          name: 'Tokens in',
          meaning: metricMeaning.tokensIn,
          value: tokensText(tokens?.input, tokenSource),
        },
        {
          name: 'Tokens out',
          meaning: metricMeaning.tokensOut,
          value: tokensText(tokens?.output, tokenSource),
        },
        {
          name: 'Cost',
          meaning: metricMeaning.cost,
          value:
            costUsd !== null
              ? formatUsd(costUsd)
              : tokens?.input == null
                ? NOT_DEFINED
                : 'unpriced',
        },
        {
          name: 'Whole evaluation',
          meaning: metricMeaning.duration,
          value: formatDuration(durationMs),
        },
      ]}
    />
  );
}

function tokensText(count: number | null | undefined, source: TokenSource | null): string {
  if (count === null || count === undefined) return '– (no tokens reported)';
  return `${counted(count, 'token')}${source === null ? '' : `  (${tokenSourceTexts[source]})`}`;
}

export function SettingsTab({ evaluation }: { evaluation: Evaluation }) {
  const { settings, models } = evaluation;
  const names = nameModels(models);
  return (
    <>
      <Section title="Evaluation">
        <Fields
          rows={[
            {
              name: 'Servers',
              value: settings.servers === null ? 'of each case' : settings.servers.join(', '),
            },
            { name: 'Repetitions', value: formatCount(settings.repetitions) },
            { name: 'At once', value: counted(settings.concurrency, 'run') },
            { name: 'High confidence from', value: String(settings.highConfidence) },
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
              { name: 'Timeout', value: `${model.timeout} s` },
              {
                name: 'Temperature',
                value: sentWord(model.sent, 'temperature', model.temperature),
              },
              { name: 'Retries', value: formatCount(model.maxRetries) },
              ...(model.baseUrl === null
                ? []
                : [{ name: 'Base URL', value: <Foreign text={model.baseUrl} /> }]),
              ...(model.replayFile === null
                ? []
                : [{ name: 'Recording', value: <Foreign text={model.replayFile} /> }]),
              {
                name: 'System prompt',
                value: model.systemPrompt === null ? 'none' : <Foreign text={model.systemPrompt} />,
              },
              { name: 'Sent to the model', value: <Foreign text={sentWords(model.sent)} /> },
            ]}
          />
        </Section>
      ))}
    </>
  );
}

type Sent = Evaluation['models'][number]['sent'];

function sentWord(sent: Sent, name: string, value: number): string {
  return sent[name] === undefined || sent[name] === null
    ? `${value}, not sent: this model doesn't support it`
    : String(value);
}

function sentWords(sent: Sent): string {
  const parts = Object.entries(sent).filter(([, value]) => value !== null);
  return parts.length === 0
    ? 'no setting'
    : parts.map(([name, value]) => `${name} ${String(value)}`).join(', ');
}
