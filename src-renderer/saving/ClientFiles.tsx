import { Group, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../src-shared/display/numbers.ts';
import { asSentence } from '../../src-shared/domain/asSentence.ts';
import {
  choicesText,
  mcpClientLabels,
  mcpClients,
  type ClientConfig,
  type McpClient,
} from '../../src-shared/domain/clientConfig.ts';
import { StatusBadge } from '../ui/badges/StatusBadge.tsx';
import { CodeDiff } from '../ui/editor/CodeDiff.tsx';
import { choosing, Action } from '../ui/fields/controls.tsx';
import { Notice, showDone, useAct } from '../ui/notices/notices.tsx';
import { ConfirmDialog } from '../ui/panels/ConfirmDialog.tsx';
import { CodeView } from '../ui/text/CodeView.tsx';

interface ClientFilesProps {
  configs: readonly ClientConfig[];
  /** What is added, such as "the workshop". */
  what: string;
  /** What is left to do, such as "Restart it to use the tools." */
  next: string;
  onAdd: (config: ClientConfig) => Promise<ClientConfig>;
  onUndo: (client: McpClient) => Promise<ClientConfig>;
  /** Reads the files again. */
  onSettled: () => Promise<unknown>;
}

/** What an MCP client needs to start a server: to copy, or added to its file after a preview. */
export function ClientFiles(props: ClientFilesProps) {
  const [client, setClient] = useState(mcpClients[0] as McpClient);
  return (
    <>
      <Select
        label="Client"
        maw={260}
        data={mcpClients.map((value) => ({ value, label: mcpClientLabels[value] }))}
        {...choosing(client, setClient)}
      />
      {props.configs
        .filter((each) => each.client === client)
        .map((config) => (
          <ClientView key={config.client} {...props} config={config} />
        ))}
    </>
  );
}

type ClientViewProps = ClientFilesProps & { config: ClientConfig };

function ClientView(props: ClientViewProps) {
  const { config } = props;
  const [previewing, setPreviewing] = useState(false);
  const label = mcpClientLabels[config.client];
  const undo = useAct(() => props.onUndo(config.client), {
    onSuccess: ({ exists }) =>
      showDone(
        !exists
          ? `The file of ${label} was removed again.`
          : config.undo?.isPart === true
            ? `The entry was taken back${choicesText(config.client, config.undo.choices)}. ` +
              `Everything else in the file of ${label} stays.`
            : `The file of ${label} was restored.`,
      ),
    onSettled: props.onSettled,
  });
  return (
    <Stack gap="sm">
      <CodeView label={`Configuration of ${label}`} text={config.text.trimEnd()} maxHeight={260} />
      <Text size="xs" c="dimmed" className="ts-foreign" style={{ overflowWrap: 'anywhere' }}>
        {config.exists ? 'File: ' : 'Doesn’t exist yet, would be created: '}
        <span className="ts-mono">{config.file}</span>
      </Text>
      {config.problem !== null && (
        <Notice tone="warning">
          <span className="ts-foreign">
            The file is left unchanged.{' '}
            {config.problem.line !== null &&
              `Line ${config.problem.line}, column ${config.problem.column ?? 1}: `}
            {asSentence(config.problem.message)}
            {config.problem.line !== null &&
              ' Correct it there. The file is read again when you come back to this window.'}
          </span>
        </Notice>
      )}
      {config.act === 'same' && (
        <StatusBadge tone="good" label={`In the configuration of ${label}`} />
      )}
      <Group gap="sm">
        {config.act !== null && config.act !== 'same' && (
          <Action
            label={`${config.act === 'replace' ? 'Update in' : 'Add to'} ${label} …`}
            onClick={() => setPreviewing(true)}
          />
        )}
        {config.undo !== null && <Action label="Undo" run={undo} />}
      </Group>
      {previewing && <ClientChangeDialog {...props} onClose={() => setPreviewing(false)} />}
    </Stack>
  );
}

/** Shows what would change in a client's file, and writes it only from here. */
function ClientChangeDialog(props: ClientViewProps & { onClose: () => void }) {
  const { config, onClose } = props;
  const label = mcpClientLabels[config.client];
  const { change } = config;
  const write = useMutation({
    mutationFn: () => props.onAdd(config),
    onSuccess: () => {
      showDone(`Added to ${label}. ${props.next}`);
      onClose();
    },
    onSettled: props.onSettled,
  });
  const lines = (middle: readonly string[]): string =>
    change === null ? '' : [...change.above, ...middle, ...change.below].join('\n');
  return (
    <ConfirmDialog
      title={`Add ${props.what} to ${label}`}
      size="xl"
      confirm={config.exists ? 'Write to file' : 'Create file'}
      loading={write.isPending}
      error={write.error}
      onConfirm={() => write.mutate()}
      onClose={onClose}
    >
      <Text size="sm" className="ts-mono ts-foreign" style={{ overflowWrap: 'anywhere' }}>
        {config.file}
      </Text>
      {config.exists ? (
        <CodeDiff
          before={lines(change?.removed ?? [])}
          after={lines(change?.added ?? [])}
          beforeLabel="Now"
          afterLabel="After"
          language="json"
          maxHeight={440}
        />
      ) : (
        <CodeView label="New file" text={config.text.trimEnd()} copy={false} />
      )}
      <p className="ts-quiet">
        {config.exists
          ? `Shows the file from line ${formatCount(change?.line ?? 1)}. Everything else stays, ` +
            'values of other entries are hidden here, and a backup is kept next to the file.'
          : 'The file doesn’t exist yet. Undo removes it again.'}
      </p>
    </ConfirmDialog>
  );
}
