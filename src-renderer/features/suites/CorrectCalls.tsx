import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ProposedCase } from '../../../src-shared/contract/suites.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import type { ExpectedCall } from '../../../src-shared/domain/testCase.ts';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { JsonField } from './JsonField.tsx';
import { ToolPicker } from './ToolPicker.tsx';
import { useToolChoices } from './useToolChoices.ts';

interface CorrectCallsProps {
  index: number;
  proposed: ProposedCase;
  onCalls: (calls: ExpectedCall[]) => void;
}

/** What a proposal was made from, and the way to say what is right instead. */
export function CorrectCalls({ index, proposed, onCalls }: CorrectCallsProps) {
  const [open, setOpen] = useState(false);
  const done = (calls: ExpectedCall[]): void => {
    setOpen(false);
    onCalls(calls);
  };
  return (
    <>
      <Text size="xs" c="dimmed">
        <PlainText text={proposed.basis} />
      </Text>
      {open ? (
        <CallForm first={proposed.content.expectedCalls[0]} onDone={done} />
      ) : (
        <Group gap="xs" mt={4}>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Correct proposal ${index + 1}`}
            onClick={() => setOpen(true)}
          >
            Correct
          </Button>
          {proposed.content.expectedCalls.length > 0 && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`No tool for proposal ${index + 1}`}
              onClick={() => done([])}
            >
              No tool
            </Button>
          )}
        </Group>
      )}
    </>
  );
}

function CallForm({
  first,
  onDone,
}: {
  first: ExpectedCall | undefined;
  onDone: (calls: ExpectedCall[]) => void;
}) {
  const choices = useToolChoices();
  const [tool, setTool] = useState(
    first !== undefined && 'tool' in first ? toolId(first.server, first.tool) : '',
  );
  const [text, setText] = useState(JSON.stringify(first?.parameters ?? {}, null, 1));
  const parameters = orElse(() => JSON.parse(text) as JsonValue, null);
  const isObject = isJsonObject(parameters);
  return (
    <Stack gap="xs" mt="xs">
      <ToolPicker label="Right tool" value={tool} choices={choices} onChange={setTool} />
      <JsonField
        label="Expected arguments"
        text={text}
        error={isObject ? undefined : 'Write a JSON object, such as {"title": "Dune"}.'}
        onText={setText}
      />
      <Group>
        <Button
          size="compact-sm"
          disabled={tool === '' || !isObject}
          onClick={() => {
            if (!isObject) return;
            onDone([{ ...splitToolId(tool), parameters }]);
          }}
        >
          Use this call
        </Button>
      </Group>
    </Stack>
  );
}
