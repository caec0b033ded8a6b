import { Text } from '@mantine/core';
import { orElse } from '../../../../../src-shared/domain/orElse.ts';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { formatCount, counted } from '../../../../../src-shared/display/numbers.ts';
import { Fold } from '../../../../ui/panels/panels.tsx';
import { CodeView } from '../../../../ui/text/CodeView.tsx';
import { CopyButton } from '../../../../ui/text/CopyButton.tsx';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import classes from './case.module.css';

const finishReasons: Record<NonNullable<RunDetail['stopReason']>, string> = {
  answered: 'end of the answer',
  called: 'tool calls',
  refused: 'refusal',
  filtered: 'content filter',
  cut_off: 'length limit',
  unknown: 'not reported',
};

/** What was sent and received: request, response, reasoning, and the names of the tools. */
export function RawExchange({ detail }: { detail: RunDetail }) {
  const { names, reasoning, rawRequest, rawResponse } = detail;
  const renamed = names.filter(({ wire, tool }) => wire !== tool);
  return (
    <Fold title="Raw exchange" hint={hintOf(detail)}>
      <div className={classes.inner}>
        <Raw label="Request" raw={rawRequest} />
        <Raw label="Response" raw={rawResponse} />
        {reasoning !== null && (
          <Fold title="Reasoning of the model" hint={counted(reasoning.length, 'character')}>
            <Foreign block text={reasoning} limit={4000} />
          </Fold>
        )}
        {renamed.length > 0 && (
          <Fold title="Tool names as sent" hint={counted(renamed.length, 'name')}>
            <CodeView
              label="Name as sent, name of the tool"
              text={renamed.map(({ wire, tool }) => `${wire}  ${tool}`).join('\n')}
            />
          </Fold>
        )}
      </div>
    </Fold>
  );
}

function hintOf({ usage, stopReason }: RunDetail): string {
  const parts = [
    ...(usage === null
      ? []
      : [`${formatCount(usage.input)} tokens in, ${formatCount(usage.output)} out`]),
    ...(stopReason === null ? [] : [`finish reason: ${finishReasons[stopReason]}`]),
  ];
  return parts.join(' · ');
}

/** Larger JSON is shown without indentation. Copying always uses the original text. */
const maxIndented = 500_000;

function indented(raw: string): string {
  if (raw.length > maxIndented) return raw;
  return orElse(() => JSON.stringify(JSON.parse(raw), null, 2), raw);
}

function Raw({ label, raw }: { label: string; raw: string | null }) {
  if (raw === null)
    return (
      <Text size="sm" c="dimmed" px={16} py={8}>
        {label}: not stored. It was never sent, or raw traffic was deleted.
      </Text>
    );
  return (
    <Fold title={label} hint={counted(raw.length, 'character')}>
      <div className={classes.copy}>
        <CopyButton text={raw} label="Copy as sent" what={label} />
      </div>
      <CodeView label={label} text={indented(raw)} copy={false} maxHeight={420} />
    </Fold>
  );
}
