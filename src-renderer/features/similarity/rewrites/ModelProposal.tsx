import { Button, Group, Popover, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';

interface ModelProposalProps {
  target: { evaluationId: string; modelSettingsId: string | null; toolId: string };
  onProposed: (description: string) => void;
}

const providers = ['openai-compatible', 'openai', 'anthropic'] as const;

/** Another description by a model, where one is set up. */
export function ModelProposal({ target, onProposed }: ModelProposalProps) {
  const { client } = useApi();
  const [provider, setProvider] = useState<(typeof providers)[number]>('openai-compatible');
  const [model, setModel] = useState('');
  const [baseUrl, setBaseUrl] = useState('');
  const propose = useMutation({
    mutationFn: () => client.rewrites.propose({ ...target, model: { provider, model: model.trim(), baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim() } }),
    onSuccess: ({ description }) => { onProposed(description); },
  });
  return (
    <Popover width={360} position="bottom-start" withArrow trapFocus>
      <Popover.Target>
        <Button variant="default">Let a model write it…</Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Select label="Provider" allowDeselect={false} data={[...providers]} value={provider} onChange={(value) => { setProvider(providers.find((one) => one === value) ?? 'openai-compatible'); }} comboboxProps={{ withinPortal: false }} />
          <TextInput label="Model" value={model} maxLength={100} onChange={(event) => { setModel(event.currentTarget.value); }} />
          <TextInput label="Base URL" placeholder={provider === 'openai-compatible' ? 'http://127.0.0.1:11434/v1' : 'empty: its own'} value={baseUrl} onChange={(event) => { setBaseUrl(event.currentTarget.value); }} />
          <Group>
            <Button disabled={model.trim() === ''} loading={propose.isPending} onClick={() => { propose.mutate(); }}>Ask</Button>
          </Group>
          {propose.error !== null && <ErrorNotice error={propose.error} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
