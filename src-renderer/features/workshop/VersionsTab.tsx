import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ManagedTool, ToolVersion, VersionRow } from '../../../src-shared/domain/workshop.ts';
import { useApi } from '../../api/index.ts';
import { CodeDiff } from '../../ui/editor/CodeDiff.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { showDone, showFailure } from '../../ui/UndoNotice.tsx';
import { draftOf } from './toolDraft.ts';
import classes from './workshop.module.css';

interface VersionsTabProps {
  tool: ManagedTool;
  onRestored: (tool: ManagedTool) => void;
}

/** Every version; two of them side by side; an old one back as a new one. */
export function VersionsTab({ tool, onRestored }: VersionsTabProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const versions = useQuery(queries.workshop.versions.queryOptions({ input: { id: tool.id } }));
  const [left, setLeft] = useState(Math.max(1, tool.version - 1));
  const [right, setRight] = useState(tool.version);
  const restore = useMutation({
    mutationFn: (version: number) => client.workshop.restore({ id: tool.id, version }),
    onSuccess: async (restored, version) => {
      await cache.invalidateQueries({ queryKey: queries.workshop.key() });
      showDone(`Version ${restored.version} has the content of version ${version}.`);
      onRestored(restored);
    },
    onError: showFailure,
  });
  return (
    <Loaded query={versions} blocks={[120, 240]}>
      {(rows) => (
        <Stack gap="lg">
          <ol className={classes.versions} aria-label="Versions">
            {rows.map((row) => (
              <li key={row.version}>
                <Text fw={600} size="sm" w={90}>Version {row.version}</Text>
                <Text size="sm" c="dimmed" component="span" w={120}><Time iso={row.createdAt} /></Text>
                <Text size="sm" className="ts-foreign" style={{ flex: 1 }}>{row.changelog === '' ? '–' : row.changelog}</Text>
                {row.isLatest ? (
                  <Text size="sm" c="dimmed">latest</Text>
                ) : (
                  <Group gap="xs">
                    <Button size="compact-sm" variant="default" onClick={() => { setLeft(row.version); setRight(tool.version); }}>Compare with latest</Button>
                    <Button size="compact-sm" variant="default" loading={restore.isPending && restore.variables === row.version} onClick={() => { restore.mutate(row.version); }}>Restore</Button>
                  </Group>
                )}
              </li>
            ))}
          </ol>
          {rows.length > 1 && (
            <Section
              title="Comparison"
              aside={
                <Group gap="sm">
                  <VersionChoice label="Before" rows={rows} value={left} onChange={setLeft} />
                  <VersionChoice label="After" rows={rows} value={right} onChange={setRight} />
                </Group>
              }
            >
              <Comparison tool={tool} left={left} right={right} />
            </Section>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function VersionChoice({ label, rows, value, onChange }: { label: string; rows: readonly VersionRow[]; value: number; onChange: (version: number) => void }) {
  return (
    <Select size="xs" w={150} aria-label={label} allowDeselect={false} data={rows.map(({ version }) => ({ value: String(version), label: `${label}: version ${version}` }))} value={String(value)} onChange={(next) => { onChange(Number(next ?? value)); }} />
  );
}

function Comparison({ tool, left, right }: { tool: ManagedTool; left: number; right: number }) {
  const { queries } = useApi();
  const before = useQuery(queries.workshop.version.queryOptions({ input: { id: tool.id, version: left } }));
  const after = useQuery(queries.workshop.version.queryOptions({ input: { id: tool.id, version: right } }));
  return <Loaded query={before} blocks={[240]}>{(one) => <Loaded query={after} blocks={[240]}>{(other) => <Differences before={one} after={other} />}</Loaded>}</Loaded>;
}

const languageOf = { python: 'python', shell: 'shell', http: 'json', mcp: 'json' } as const;

function Differences({ before, after }: { before: ToolVersion; after: ToolVersion }) {
  const [one, other] = [draftOf(before.content), draftOf(after.content)];
  const about = (draft: typeof one): string => `name: ${draft.name}\ndisplay name: ${draft.displayName}\ntags: ${draft.tags}\nexecutor: ${draft.executorType}\n\n${draft.description}\n`;
  const parts = [
    { title: 'Details', before: about(one), after: about(other), language: 'shell' as const },
    { title: 'Script', before: one.scriptContent, after: other.scriptContent, language: languageOf[after.content.executorType] },
    { title: 'Input schema', before: one.inputSchema, after: other.inputSchema, language: 'json' as const },
    { title: 'Output schema', before: one.outputSchema, after: other.outputSchema, language: 'json' as const },
    { title: 'Executor settings', before: one.executorConfig, after: other.executorConfig, language: 'json' as const },
  ].filter((part) => part.before !== part.after);
  if (parts.length === 0) return <Text c="dimmed">Version {before.version} and version {after.version} hold the same.</Text>;
  return (
    <Stack gap="md">
      {parts.map((part) => (
        <div key={part.title}>
          <Text fw={600} size="sm" mb={4}>{part.title}</Text>
          <CodeDiff before={part.before} after={part.after} beforeLabel={`${part.title}, version ${before.version}`} afterLabel={`${part.title}, version ${after.version}`} language={part.language} />
        </div>
      ))}
    </Stack>
  );
}
