import { Action, ticked, typed } from '../../ui/fields/controls.tsx';
import { formatCount, counted } from '../../../src-shared/display/numbers.ts';
import {
  Checkbox,
  Group,
  SegmentedControl,
  Table,
  Text,
  Textarea,
  TextInput,
  Stack,
} from '@mantine/core';
import { useState } from 'react';
import { draftKinds, type ProposedCase } from '../../../src-shared/contract/suites.ts';
import { EmptyState } from '../../ui/notices/notices.tsx';
import { Foreign, PlainText } from '../../ui/text/Foreign.tsx';
import { expectationText } from './caseForm.ts';
import { proposalKinds } from './proposalKinds.ts';
import classes from './ProposalGrid.module.css';
import type { OpenProposal, Review } from './useReview.ts';
import { isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { splitToolId, toolId } from '../../../src-shared/domain/labels.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import type { ExpectedCall } from '../../../src-shared/domain/testCase.ts';
import { JsonField } from './JsonField.tsx';
import { ToolPicker } from './ToolPicker.tsx';
import { useToolChoices } from './useToolChoices.ts';

interface ProposalGridProps {
  review: Review;
  /** What accepting this many proposals is called. */
  acceptLabel?: (count: number) => string;
  /** True if what is expected can be corrected here. */
  corrects?: boolean;
}

const shownRows = 100;

/** Proposals to review: filter them, edit the query in place, and accept or drop many at once. */
export function ProposalGrid({
  review: { open: proposals, accept, acceptAll, drop, setQuery, setCalls },
  acceptLabel = (count) => `Accept ${count === 0 ? 'selected' : counted(count, 'case')}`,
  corrects = false,
}: ProposalGridProps) {
  const [words, setWords] = useState('');
  const [kind, setKind] = useState('all');
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const matching = proposals.filter(
    ({ proposed, query }) =>
      (kind === 'all' || proposed.kind === kind) &&
      `${query} ${expectationText(proposed.content)}`.toLowerCase().includes(words.toLowerCase()),
  );
  const chosen = matching.filter(({ index }) => marked.has(index)).map(({ index }) => index);
  const written = matching
    .filter(({ index, query }) => marked.has(index) && query.trim() !== '')
    .map(({ index }) => index);
  const mark = (index: number, on: boolean): void =>
    setMarked(
      (before) => new Set([...before].filter((one) => one !== index).concat(on ? index : [])),
    );
  const act = (indexes: readonly number[], action: (indexes: readonly number[]) => void): void => {
    setMarked((before) => new Set([...before].filter((index) => !indexes.includes(index))));
    action(indexes);
  };
  if (proposals.length === 0) return <EmptyState message="All proposals reviewed." />;
  return (
    <div>
      <Group mb="sm" gap="sm">
        <TextInput
          aria-label="Filter proposals"
          placeholder="Filter by query or tool"
          {...typed(words, setWords)}
        />
        <SegmentedControl
          aria-label="Kind of proposal"
          data={[
            { value: 'all', label: 'All' },
            ...draftKinds.map((one) => ({ value: one, label: proposalKinds[one].label })),
          ]}
          value={kind}
          onChange={setKind}
        />
        <p className="ts-quiet" aria-live="polite">
          {counted(matching.length, 'proposal')}
        </p>
        <Group gap="sm" ml="auto">
          <Action
            label="Drop selected"
            disabled={chosen.length === 0}
            onClick={() => act(chosen, drop)}
          />
          <Action
            label={acceptLabel(written.length)}
            filled
            disabled={written.length === 0}
            loading={accept.isPending}
            onClick={() => act(written, acceptAll)}
          />
        </Group>
      </Group>
      {proposals.some(({ proposed }) => proposed.content.query === '') && (
        <Text size="sm" c="dimmed" mb="sm">
          Write each request as a person would say it, with the values expected on the right. Rows
          without a request are not added.
        </Text>
      )}
      <Table className={classes.grid} aria-label="Proposals" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36}>
              <Checkbox
                aria-label="Select all matching proposals"
                {...ticked(matching.length > 0 && chosen.length === matching.length, (isOn) =>
                  setMarked(isOn ? new Set(matching.map(({ index }) => index)) : new Set()),
                )}
                indeterminate={chosen.length > 0 && chosen.length < matching.length}
              />
            </Table.Th>
            <Table.Th>Query</Table.Th>
            <Table.Th>Expected</Table.Th>
            <Table.Th w={110}>Kind</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {matching.slice(0, shownRows).map(({ index, proposed, query }) => (
            <Table.Tr key={index} aria-label={`Proposal ${index + 1}`}>
              <Table.Td>
                <Checkbox
                  aria-label={`Select proposal ${index + 1}`}
                  {...ticked(marked.has(index), (isOn) => mark(index, isOn))}
                />
              </Table.Td>
              <Table.Td>
                <Textarea
                  aria-label={`Query of proposal ${index + 1}`}
                  minRows={1}
                  maxRows={5}
                  value={query}
                  placeholder={proposalKinds[proposed.kind].hint}
                  error={
                    query.trim() === '' && proposed.content.query !== ''
                      ? 'Enter a query, or drop the case.'
                      : null
                  }
                  onChange={(event) => {
                    setQuery(index, event.currentTarget.value);
                    // A row that a person writes is meant to be accepted.
                    if (query === '') mark(index, true);
                  }}
                />
              </Table.Td>
              <Table.Td className="ts-foreign">
                <Expected content={proposed.content} />
                {corrects && (
                  <CorrectCalls
                    index={index}
                    proposed={proposed}
                    onCalls={(calls) => setCalls(index, calls)}
                  />
                )}
              </Table.Td>
              <Table.Td>
                <Text size="xs">{proposalKinds[proposed.kind].label}</Text>
                {!corrects && proposed.kind !== 'right tool' && (
                  <PlainText as="p" className="ts-hint ts-foreign" text={proposed.content.name} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {matching.length > shownRows && (
        <Text size="sm" c="dimmed" mt="sm">
          Shows the first {formatCount(shownRows)}. “Select all” includes the other{' '}
          {formatCount(matching.length - shownRows)}.
        </Text>
      )}
    </div>
  );
}

/** Characters of arguments that leave other rows in view. */
const maxArguments = 300;

function Expected({ content }: Pick<OpenProposal['proposed'], 'content'>) {
  const [call] = content.expectedCalls;
  return (
    <>
      <Text size="sm" className={call === undefined ? undefined : 'ts-mono'}>
        <PlainText text={expectationText(content)} />
      </Text>
      {call?.parameters !== undefined && Object.keys(call.parameters).length > 0 && (
        <p className="ts-hint ts-mono">
          <Foreign text={JSON.stringify(call.parameters)} limit={maxArguments} />
        </p>
      )}
    </>
  );
}

interface CorrectCallsProps {
  index: number;
  proposed: ProposedCase;
  onCalls: (calls: ExpectedCall[]) => void;
}

/** What a proposal was made from, and the way to say what is right instead. */
function CorrectCalls({ index, proposed, onCalls }: CorrectCallsProps) {
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
        <CallForm
          first={proposed.content.expectedCalls[0]}
          onDone={done}
          onCancel={() => setOpen(false)}
        />
      ) : (
        <Group gap="xs" mt={4}>
          <Action
            label="Change call"
            size="compact-xs"
            aria-label={`Change call of proposal ${index + 1}`}
            onClick={() => setOpen(true)}
          />
          {proposed.content.expectedCalls.length > 0 && (
            <Action
              label="No tool"
              size="compact-xs"
              aria-label={`No tool for proposal ${index + 1}`}
              onClick={() => done([])}
            />
          )}
        </Group>
      )}
    </>
  );
}

interface CallFormProps {
  first: ExpectedCall | undefined;
  onDone: (calls: ExpectedCall[]) => void;
  onCancel: () => void;
}

function CallForm({ first, onDone, onCancel }: CallFormProps) {
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
      <Group gap="xs">
        <Action
          label="Use this call"
          small
          disabled={tool === '' || !isObject}
          onClick={() => {
            if (isObject) onDone([{ ...splitToolId(tool), parameters }]);
          }}
        />
        <Action label="Cancel" small onClick={onCancel} />
      </Group>
    </Stack>
  );
}
