import { Button, Group, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { Notice } from '../../ui/notices/Notice.tsx';
import { counted } from '../../ui/text/words.ts';

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
  return (
    <Button
      component={Link}
      to={back}
      variant="default"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
    >
      {backLabel(back)}
    </Button>
  );
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
          {returns && (
            <Button component={Link} to={back} size="compact-sm">
              {backLabel(back)}
            </Button>
          )}
          <Button
            component={Link}
            to={`/results/new?${new URLSearchParams({ suite: suiteId, ...(returns && { return: back }) }).toString()}`}
            size="compact-sm"
            variant={returns ? 'default' : 'filled'}
          >
            Run evaluation
          </Button>
        </Group>
      </Group>
    </Notice>
  );
}
