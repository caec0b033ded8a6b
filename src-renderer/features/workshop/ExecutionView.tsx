import { formatDuration } from '../../../src-shared/display/numbers.ts';
import { Group, Stack } from '@mantine/core';
import { isFinal, type ToolExecution } from '../../../src-shared/domain/toolExecution.ts';
import { CodeView, JsonText } from '../../ui/text/CodeView.tsx';
import { Notice } from '../../ui/notices/notices.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { executionWords } from './workshopWords.ts';

/** One execution: its status, output, and logs. */
export function ExecutionView(props: { execution: ToolExecution; withInput?: boolean }) {
  const { execution, withInput = false } = props;
  return (
    <Stack gap="md">
      <Group gap="md">
        <StatusBadge {...executionWords[execution.status]} />
        <p className="ts-quiet">
          {execution.version === null ? 'draft' : `version ${execution.version}`}
        </p>
        <p className="ts-quiet">{formatDuration(execution.durationMs)}</p>
        <span className="ts-quiet">
          <Time iso={execution.createdAt} />
        </span>
        {execution.callerId !== null && (
          <p className="ts-quiet ts-foreign">caller {execution.callerId}</p>
        )}
        {execution.traceId !== null && (
          <p className="ts-quiet ts-foreign">trace {execution.traceId}</p>
        )}
      </Group>
      {execution.errorMessage !== null && (
        <Notice tone="danger">
          <span className="ts-foreign">{execution.errorMessage}</span>
        </Notice>
      )}
      {withInput && <JsonText label="Input" value={execution.inputData} />}
      {execution.status === 'SUCCESS' &&
        (typeof execution.outputData === 'string' ? (
          <CodeView label="Output" text={execution.outputData} />
        ) : (
          <JsonText label="Output" value={execution.outputData} />
        ))}
      {execution.outputExcerpt !== null && (
        <CodeView label="Standard output (may be truncated)" text={execution.outputExcerpt} />
      )}
      {isFinal(execution.status) && execution.stderrTail !== '' && (
        <CodeView label="Standard error (last lines)" text={execution.stderrTail} />
      )}
    </Stack>
  );
}
