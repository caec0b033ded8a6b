import { Button, Card, List, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { executorTypes } from '../../../src-shared/domain/executors.ts';
import type { ToolDraft, ToolProblem } from '../../../src-shared/domain/workshop.ts';
import { useApi } from '../../api/index.ts';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EditorTabs } from './EditorTabs.tsx';
import { SaveTool } from './SaveTool.tsx';
import { executorWords, templates } from './toolDraft.ts';
import { useToolEditor } from './useToolEditor.ts';
import classes from './workshop.module.css';

const crumbs = [{ label: 'Workshop', to: '/workshop' }, { label: 'New tool' }];

/** Asks for the executor first, then for the tool. An unsaved draft is continued. */
export function NewToolPage() {
  const { queries } = useApi();
  const kept = useQuery({
    ...queries.workshop.draft.queryOptions({ input: { id: 'new' } }),
    staleTime: Infinity,
    gcTime: 0,
  });
  const [chosen, setChosen] = useState<ToolDraft | null>(null);
  return (
    <Loaded query={kept} blocks={[32, 240]}>
      {(found) => {
        const start = chosen ?? (found === null ? null : templates[found.draft.executorType]);
        if (start !== null)
          return (
            <NewTool
              key={start.executorType}
              template={start}
              kept={chosen === null ? found : null}
            />
          );
        return (
          <>
            <PageHeader
              crumbs={crumbs}
              title="New tool"
              subtitle="How should the tool run? Each kind starts with a working example."
            />
            <div className={classes.executors}>
              {executorTypes.map((type) => (
                <UnstyledButton
                  key={type}
                  onClick={() => {
                    setChosen(templates[type]);
                  }}
                >
                  <Card withBorder h="100%" padding="md">
                    <Text fw={600}>{executorWords[type].label}</Text>
                    <Text size="sm" c="dimmed">
                      {executorWords[type].description}
                    </Text>
                  </Card>
                </UnstyledButton>
              ))}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

interface NewToolProps {
  template: ToolDraft;
  kept: { draft: ToolDraft; baseVersion: number | null } | null;
}

function NewTool({ template, kept }: NewToolProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [tab, setTab] = useState('details');
  const editor = useToolEditor('new', template, kept, null);
  const create = useMutation({
    mutationFn: async (changelog: string) => {
      const { content } = await client.workshop.check({ draft: editor.draft });
      if (content === null) throw new Error('Fix the marked fields.');
      return client.workshop.create({ content, changelog });
    },
    onSuccess: async (tool) => {
      editor.release();
      await cache.invalidateQueries({ queryKey: queries.workshop.key() });
      await navigate(`/workshop/${tool.id}`);
    },
  });
  const discard = useMutation({
    mutationFn: () => client.workshop.dropDraft({ id: 'new' }),
    onMutate: () => {
      editor.release();
    },
    onSuccess: () => navigate('/workshop'),
  });
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title="New tool"
        subtitle={executorWords[editor.draft.executorType].description}
        actions={
          <>
            <Button
              variant="default"
              onClick={() => {
                discard.mutate();
              }}
            >
              Discard
            </Button>
            <SaveTool
              isNew
              blocked={
                editor.faulty
                  ? 'Fix the marked fields.'
                  : editor.checked
                    ? null
                    : 'Checking the tool.'
              }
              saving={create.isPending}
              error={create.error}
              onSave={create.mutate}
            />
          </>
        }
      />
      {editor.checked && editor.problems.length > 0 && (
        <Notice tone="neutral">
          <Text size="sm" fw={500}>
            Before you create the tool:
          </Text>
          <List size="sm" aria-label="Before you create the tool">
            {missingFields(editor.problems).map(({ label, message }) => (
              <List.Item key={label} className="ts-foreign">
                {label}: {message}
              </List.Item>
            ))}
          </List>
        </Notice>
      )}
      <EditorTabs editor={editor} tool={null} tab={tab} onTab={setTab} />
    </>
  );
}

const fieldLabels: Record<string, string> = {
  name: 'Name',
  displayName: 'Display name',
  description: 'Description',
  tags: 'Tags',
  inputSchema: 'Input schema',
  outputSchema: 'Output schema',
  executorConfig: 'Executor settings',
  scriptContent: 'Script',
};

/** The first problem of each field, because the next one may be gone with it. */
function missingFields(problems: readonly ToolProblem[]): { label: string; message: string }[] {
  const found = new Map<string, string>();
  for (const { field, message } of problems) {
    const label = fieldLabels[field.split('.', 1)[0] ?? ''] ?? field;
    if (!found.has(label)) found.set(label, message);
  }
  return [...found].map(([label, message]) => ({ label, message }));
}
