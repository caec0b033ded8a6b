import { markedAsSafe, noSignalsNote } from '../../../src-shared/display/signalTexts.ts';
import { Stack, Text } from '@mantine/core';
import { Foreign } from '../text/Foreign.tsx';
import { SeverityBadge } from './SeverityBadge.tsx';

export interface Signal {
  key: string;
  severity: string;
  title: string;
  why: string;
  text: string;
  /** Why somebody marked it as safe. */
  accepted: string | null;
}

/**
 * The signals of one tool or text. Without signals it says that nothing was found, never that it is
 * safe.
 */
export function SignalList({ signals }: { signals: readonly Signal[] }) {
  if (signals.length === 0) return <p className="ts-quiet">No signals. {noSignalsNote}</p>;
  return (
    <Stack gap="sm">
      {signals.map(({ key, severity, title, why, text, accepted }) => (
        <div key={key}>
          <Text size="sm" component="div">
            <SeverityBadge severity={severity} /> <strong>{title}</strong>
          </Text>
          <Text size="sm" c="dimmed" component="div">
            <Foreign text={why} limit={400} />
          </Text>
          <Text size="sm" component="div" className="ts-mono">
            <Foreign text={text} limit={160} />
          </Text>
          {accepted !== null && (
            <Text size="sm" c="dimmed" component="div">
              <Foreign text={markedAsSafe(accepted)} limit={300} />
            </Text>
          )}
        </div>
      ))}
    </Stack>
  );
}
