import { Group, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import { Notice } from '../../ui/notices/notices.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

/** An address within this window, and no other: `/tools/…`, not `//elsewhere`. */
const isOwnAddress = (address: string | null): address is string =>
  address !== null && /^\/(?![/\\])/u.test(address);

const backLabel = (back: string): string =>
  back.includes('/edit') ? 'Back to the edit' : 'Back to the tool';

/** The way back to the page of a tool or of its edit, if cases are added from there. */
export function BackToTool() {
  const [params] = useSearchParams();
  const back = params.get('return');
  if (!isOwnAddress(back)) return null;
  return <Action label={backLabel(back)} to={back} icon={IconArrowLeft} />;
}

interface NextStepProps {
  suiteId: string;
  /** Cases that were just added. */
  added: number;
  /** The page that asked for cases. */
  back: string | null;
}

/** What to do after cases were added: run them, or go on with what they were added for. */
export function NextStep({ suiteId, added, back }: NextStepProps) {
  const returns = isOwnAddress(back);
  return (
    <Notice tone="good">
      <Group justify="space-between" gap="sm">
        <Text size="sm">Added {counted(added, 'case')} to the suite.</Text>
        <Group gap="sm">
          {returns && <Action label={backLabel(back)} filled to={back} small />}
          <Action
            label="Run evaluation"
            to={`/results/new?${new URLSearchParams({ suite: suiteId, ...(returns && { return: back }) }).toString()}`}
            small
            filled={!returns}
          />
        </Group>
      </Group>
    </Notice>
  );
}
