import { Group, SegmentedControl, Select, Stack, TextInput, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Action, options, typed } from '../../ui/fields/controls.tsx';
import type { ExternalRetriever } from '../../../src-shared/domain/retrievalRun.ts';
import { useApi, useRead } from '../../api/index.ts';
import { CodeView } from '../../ui/text/CodeView.tsx';
import { Cut } from '../../ui/text/Foreign.tsx';
import { ErrorNotice, Notice } from '../../ui/notices/notices.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { EmbeddingFields } from '../../models/EmbeddingFields.tsx';
import { formOf, specOf, type RetrieverForm } from './externalRetrieverForm.ts';
import classes from './retrieval.module.css';

interface PanelProps {
  corpus: string;
  current: ExternalRetriever | null;
  onUse: (spec: ExternalRetriever | null) => void;
  onClose: () => void;
}

/**
 * An external retriever: an MCP server's search tool, or embeddings. It is tried on one query
 * before it is used.
 */
export function ExternalRetrieverPanel({ corpus, current, onUse, onClose }: PanelProps) {
  const { client } = useApi();
  const servers = useRead((ask) => ask.servers.list);
  const [form, setForm] = useState(() => formOf(current));
  const [query, setQuery] = useState('delete a file');
  const { spec, fault } = specOf(form);
  const tried = useMutation({
    mutationFn: (retriever: ExternalRetriever) =>
      client.retrieval.tryRetriever({ retriever, corpus, query }),
  });
  const set = (part: Partial<RetrieverForm>): void => setForm((now) => ({ ...now, ...part }));
  // An answer belongs to its exact input, so nothing has to be cleared when the input changes.
  const answered = JSON.stringify(tried.variables) === JSON.stringify(spec) ? tried : null;
  const found = answered?.data;
  const works = found !== undefined && found.unknown.length === 0 && found.ranking.length > 0;
  return (
    <SidePanel
      title="External retriever"
      subtitle={`Scored over ${corpus}`}
      onClose={onClose}
      footer={
        <Group justify="space-between">
          {current ? (
            <Action label="Remove from comparison" onClick={() => onUse(null)} />
          ) : (
            <span />
          )}
          <Action
            label="Add to comparison"
            filled
            why={spec !== null && works ? null : 'Try it on one query first.'}
            onClick={() => onUse(spec)}
          />
        </Group>
      }
    >
      <Stack gap="sm">
        <SegmentedControl
          size="sm"
          value={form.kind}
          onChange={(kind) => set({ kind })}
          data={options({ mcp: 'Search tool of a server', embedding: 'Embeddings' })}
        />
        {form.kind === 'mcp' ? (
          <>
            <Select
              label="Server"
              data={(servers.data ?? []).map(({ name }) => name)}
              value={form.server === '' ? null : form.server}
              onChange={(server) => set({ server: server ?? '' })}
              searchable
            />
            <TextInput
              label="Search tool"
              placeholder="find_tool"
              {...typed(form.tool, (tool) => set({ tool }))}
            />
            <TextInput
              label="Query argument"
              {...typed(form.argument, (argument) => set({ argument }))}
            />
            <Textarea
              label="Other arguments"
              description="A JSON object, sent with every query."
              placeholder='{"limit": 50}'
              {...typed(form.fixed, (fixed) => set({ fixed }))}
              error={fault}
            />
            <TextInput
              label="Path to results"
              description="Names separated by dots. Leave empty if the answer is the list."
              placeholder="tools"
              {...typed(form.items, (items) => set({ items }))}
            />
            <TextInput
              label="Tool ID of a result"
              description="Fields in braces, {} for plain text."
              placeholder="{server}:{name}"
              {...typed(form.id, (id) => set({ id }))}
            />
          </>
        ) : (
          <EmbeddingFields value={form} onChange={set} />
        )}
        <Group align="flex-end" gap="sm">
          <TextInput flex={1} label="Try one query" {...typed(query, setQuery)} />
          <Action
            label="Try"
            why={
              spec === null || query.trim() === '' ? 'Fill in the fields and a query first.' : null
            }
            loading={tried.isPending}
            onClick={() => {
              if (spec) tried.mutate(spec);
            }}
          />
        </Group>
        <ErrorNotice error={answered?.error} />
        {found && (
          <>
            {found.unknown.length > 0 && (
              <Notice tone="warning">
                {counted(found.unknown.length, 'result')}{' '}
                {found.unknown.length === 1 ? 'matches' : 'match'} no tool of the corpus. First:{' '}
                {found.unknown[0]}. Change “Tool ID of a result”.
              </Notice>
            )}
            {works && (
              <Notice tone="good">
                Found {counted(found.ranking.length, 'tool')} of the corpus.
              </Notice>
            )}
            {found.ranking.length === 0 && (
              <Notice tone="warning">
                No results in the answer. Try another query, or set the path to the results.
              </Notice>
            )}
            <ol className={classes.ranking}>
              {found.ranking.slice(0, 10).map((id) => (
                <li key={id}>
                  <Cut text={id} mono />
                </li>
              ))}
            </ol>
            {found.answer !== null && (
              <CodeView label="Answer" text={found.answer} maxHeight={200} />
            )}
          </>
        )}
        {found === undefined && (
          <p className="ts-quiet">Try one query to see how Touchstone reads the answer.</p>
        )}
      </Stack>
    </SidePanel>
  );
}
