import { Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../ui/fields/controls.tsx';
import type { ManagedTool, ToolDraft, VersionRow } from '../../../src-shared/domain/workshop.ts';
import { useApi, useRead } from '../../api/index.ts';
import { CodeDiff } from '../../ui/editor/CodeDiff.tsx';
import { Loaded, showDone, useAct } from '../../ui/notices/notices.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { draftOf } from './toolDraft.ts';
import classes from './workshop.module.css';

interface VersionsTabProps {
  tool: ManagedTool;
  /** Unsaved content of the editor; null if there is none. */
  written: ToolDraft | null;
  onRestored: (tool: ManagedTool) => void;
}

/** Every version, with a comparison of two and a restore. */
export function VersionsTab({ tool, written, onRestored }: VersionsTabProps) {
  const { client, queries, reread } = useApi();
  const versions = useRead((ask) => ask.workshop.versions, { input: { id: tool.id } });
  const [left, setLeft] = useState<Side>(
    written === null ? Math.max(1, tool.version - 1) : tool.version,
  );
  const [right, setRight] = useState<Side>(written === null ? tool.version : 'written');
  const restore = useAct((version: number) => client.workshop.restore({ id: tool.id, version }), {
    onSuccess: async (restored, version) => {
      showDone(`Version ${restored.version} restores version ${version}.`);
      onRestored(restored);
      await reread(queries.workshop);
    },
  });
  return (
    <Loaded query={versions} blocks={[120, 240]}>
      {(rows) => (
        <Stack gap="lg">
          <ol className={classes.versions} aria-label="Versions">
            {rows.map((row) => (
              <li key={row.version}>
                <Text fw={600} size="sm" w={90}>
                  Version {row.version}
                </Text>
                <Text size="sm" c="dimmed" component="span" w={120}>
                  <Time iso={row.createdAt} />
                </Text>
                <Text size="sm" className="ts-foreign" style={{ flex: 1 }}>
                  {row.changelog === '' ? '–' : row.changelog}
                </Text>
                {row.isLatest ? (
                  <p className="ts-quiet">latest</p>
                ) : (
                  <Group gap="xs">
                    <Action
                      label="Compare with latest"
                      small
                      onClick={() => {
                        setLeft(row.version);
                        setRight(tool.version);
                      }}
                    />
                    <Action
                      label="Restore"
                      small
                      disabled={written !== null}
                      title={written === null ? undefined : 'Save or discard your changes first.'}
                      loading={restore.isPending && restore.variables === row.version}
                      onClick={() => restore.mutate(row.version)}
                    />
                  </Group>
                )}
              </li>
            ))}
          </ol>
          {(rows.length > 1 || written !== null) && (
            <Section
              title="Comparison"
              aside={
                <Group gap="sm">
                  <VersionChoice
                    label="Before"
                    rows={rows}
                    withWritten={written !== null}
                    value={left}
                    onChange={setLeft}
                  />
                  <VersionChoice
                    label="After"
                    rows={rows}
                    withWritten={written !== null}
                    value={right}
                    onChange={setRight}
                  />
                </Group>
              }
            >
              <Comparison tool={tool} written={written} left={left} right={right} />
            </Section>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

/** A version number, or the unsaved content. */
type Side = number | 'written';

interface VersionChoiceProps {
  label: string;
  rows: readonly VersionRow[];
  withWritten: boolean;
  value: Side;
  onChange: (side: Side) => void;
}

function VersionChoice({ label, rows, withWritten, value, onChange }: VersionChoiceProps) {
  const data = [
    ...(withWritten ? [{ value: 'written', label: `${label}: not saved` }] : []),
    ...rows.map(({ version }) => ({
      value: String(version),
      label: `${label}: version ${version}`,
    })),
  ];
  return (
    <Select
      size="xs"
      w={150}
      aria-label={label}
      data={data}
      value={String(value)}
      onChange={(next) =>
        onChange(next === null ? value : next === 'written' ? 'written' : Number(next))
      }
    />
  );
}

function Comparison(props: {
  tool: ManagedTool;
  written: ToolDraft | null;
  left: Side;
  right: Side;
}) {
  const { tool, written, left, right } = props;
  const savedAt = (side: Side) => ({
    input: { id: tool.id, version: side === 'written' ? tool.version : side },
  });
  const before = useRead((ask) => ask.workshop.version, savedAt(left));
  const after = useRead((ask) => ask.workshop.version, savedAt(right));
  const shown = (side: Side, saved: ToolDraft): Shown =>
    side === 'written' && written !== null
      ? { name: 'unsaved changes', draft: written }
      : { name: `version ${side === 'written' ? tool.version : side}`, draft: saved };
  return (
    <Loaded query={before} blocks={[240]}>
      {(one) => (
        <Loaded query={after} blocks={[240]}>
          {(other) => (
            <Differences
              before={shown(left, draftOf(one.content))}
              after={shown(right, draftOf(other.content))}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

interface Shown {
  name: string;
  draft: ToolDraft;
}

const languageOf = { python: 'python', shell: 'shell', http: 'json', mcp: 'json' } as const;

function Differences({ before, after }: { before: Shown; after: Shown }) {
  const [one, other] = [before.draft, after.draft];
  const about = (draft: ToolDraft): string =>
    `name: ${draft.name}\ndisplay name: ${draft.displayName}\ntags: ${draft.tags}\nexecutor: ` +
    `${draft.executorType}\n\n${draft.description}\n`;
  const parts = [
    { title: 'Details', before: about(one), after: about(other), language: 'shell' as const },
    {
      title: 'Script',
      before: one.scriptContent,
      after: other.scriptContent,
      language: languageOf[other.executorType],
    },
    {
      title: 'Input schema',
      before: one.inputSchema,
      after: other.inputSchema,
      language: 'json' as const,
    },
    {
      title: 'Output schema',
      before: one.outputSchema,
      after: other.outputSchema,
      language: 'json' as const,
    },
    {
      title: 'Executor settings',
      before: one.executorConfig,
      after: other.executorConfig,
      language: 'json' as const,
    },
  ].filter((part) => part.before !== part.after);
  if (parts.length === 0)
    return (
      <Text c="dimmed">
        {before.name === after.name
          ? `Choose two different versions to compare.`
          : `No differences between ${before.name} and ${after.name}.`}
      </Text>
    );
  return (
    <Stack gap="md">
      {parts.map((part) => (
        <div key={part.title}>
          <Text fw={600} size="sm" mb={4}>
            {part.title}
          </Text>
          <CodeDiff
            before={part.before}
            after={part.after}
            beforeLabel={`${part.title}, ${before.name}`}
            afterLabel={`${part.title}, ${after.name}`}
            language={part.language}
          />
        </div>
      ))}
    </Stack>
  );
}
