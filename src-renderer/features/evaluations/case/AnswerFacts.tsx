import { Text } from '@mantine/core';
import type { RunDetail } from '../../../../src-shared/domain/evaluation.ts';
import { tokenSourceTexts } from '../../../../src-shared/domain/metrics.ts';
import { Fields } from '../../../ui/fields/Fields.tsx';
import { formatUsd } from '../../../ui/estimate/format.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';

const stopWords = {
  answered: 'it had answered',
  called: 'it had made its calls',
  refused: 'it refused',
  cut_off: 'it was cut off',
  unknown: 'for a reason that is not known',
} as const;
const shownNames = 200;

/** How the tools were presented to this provider, and how its reply ended. */
export function AnswerFacts({ detail }: { detail: RunDetail }) {
  const { details, names, stopReason, usage, reasoning, model } = detail;
  if (model.provider === 'builtin') return null;
  const renamed = names.filter(({ wire, tool }) => wire !== tool);
  const rows = [
    ...(stopReason === null ? [] : [{ name: 'Ended since', value: stopWords[stopReason] }]),
    ...(details !== null && details.turns > 1
      ? [{ name: 'Turns', value: String(details.turns) }]
      : []),
    ...(details?.stopped == null ? [] : [{ name: 'Stopped since', value: details.stopped }]),
    { name: 'Tokens', value: usage === null ? 'not known' : tokenSourceTexts[usage.source] },
    {
      name: 'Cost',
      value:
        detail.costUsd === null ? 'unpriced' : `${formatUsd(detail.costUsd)} (without reductions)`,
    },
    ...(details?.followUp == null
      ? []
      : [{ name: 'Asked how sure', value: <Foreign text={details.followUp} limit={300} /> }]),
    ...(details !== null && details.loaded.length > 0
      ? [
          {
            name: 'Found by tool search',
            value: <Foreign text={details.loaded.join(', ')} limit={600} />,
          },
        ]
      : []),
  ];
  return (
    <Section title="What the provider was sent">
      <div className={`ts-panel ${classes.box ?? ''}`}>
        <Fields rows={rows} />
        {reasoning !== null && (
          <details className={classes.fold}>
            <summary>Reasoning of the model</summary>
            <Foreign block text={reasoning} limit={4000} />
          </details>
        )}
        {renamed.length > 0 && (
          <details className={classes.fold}>
            <summary>Names on the wire ({names.length})</summary>
            <ul className={classes.toolList}>
              {names.slice(0, shownNames).map(({ wire, tool }) => (
                <li key={wire}>
                  <Foreign text={tool} limit={200} /> <span className={classes.quiet}>as</span>{' '}
                  <span className="ts-mono">{wire}</span>
                </li>
              ))}
            </ul>
            {names.length > shownNames && (
              <Text size="xs" c="dimmed">
                {counted(names.length - shownNames, 'more name')}.
              </Text>
            )}
          </details>
        )}
      </div>
    </Section>
  );
}
