import { Box, Card, Text, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import { defaultExecutor, executorTypes } from '../../../src-shared/domain/executors.ts';
import { toolExamples } from '../../../src-shared/domain/toolExamples.ts';
import type { ToolDraft } from '../../../src-shared/domain/workshop.ts';
import { useApi, useRead } from '../../api/index.ts';
import { Loaded } from '../../ui/notices/notices.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { EditorTabs } from './EditorTabs.tsx';
import { ProblemList } from './ProblemList.tsx';
import { RunTab } from './RunTab.tsx';
import { SaveTool } from './SaveTool.tsx';
import { executorWords } from './toolDraft.ts';
import { useRunState } from './useRunState.ts';
import { useToolEditor } from './useToolEditor.ts';
import classes from './workshop.module.css';

const crumbs = [{ label: 'Workshop', to: '/workshop' }, { label: 'New tool' }];

/** Asks for the executor first, then for the tool. An unsaved draft is continued. */
export function NewToolPage() {
  const kept = useRead((ask) => ask.workshop.draft, {
    input: { id: 'new' },
    staleTime: Infinity,
    gcTime: 0,
  });
  const [chosen, setChosen] = useState<ToolDraft | null>(null);
  return (
    <Loaded query={kept} blocks={[32, 240]}>
      {(found) => {
        const start = chosen ?? (found === null ? null : toolExamples[found.draft.executorType]);
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
                  // Enter takes the default.
                  autoFocus={type === defaultExecutor}
                  onClick={() => setChosen(toolExamples[type])}
                >
                  <Card withBorder h="100%" padding="md">
                    <Text fw={600}>
                      {executorWords[type].label}
                      {type === defaultExecutor && ' (default)'}
                    </Text>
                    <p className="ts-quiet">{executorWords[type].description}</p>
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
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const [tab, setTab] = useState('details');
  const editor = useToolEditor('new', template, kept, null);
  const run = useRunState('new');
  const create = useMutation({
    mutationFn: async (changelog: string) => {
      const { content } = await client.workshop.check({ draft: editor.draft });
      if (content === null) throw new Error('Fix the marked fields.');
      return client.workshop.create({ content, changelog });
    },
    onSuccess: async (tool) => {
      editor.release();
      await reread(queries.workshop);
      await navigate(`/workshop/${tool.id}`);
    },
  });
  const discard = useMutation({
    mutationFn: () => client.workshop.dropDraft({ id: 'new' }),
    onMutate: () => editor.release(),
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
            <Action label="Discard" onClick={() => discard.mutate()} />
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
        <Box mb="sm">
          <ProblemList title="Before you create the tool" problems={editor.problems} />
        </Box>
      )}
      <EditorTabs
        editor={editor}
        tool={null}
        tab={tab}
        onTab={setTab}
        more={[
          {
            value: 'run',
            name: 'Test run',
            panel: <RunTab tool={null} editor={editor} state={run} />,
          },
        ]}
      />
    </>
  );
}
