import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import { useApi, useRead } from '../../api/index.ts';
import { PageTabs } from '../../ui/frame/PageTabs.tsx';
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { DetailsTab } from './DetailsTab.tsx';
import { SchemaTab } from './SchemaTab.tsx';
import { SecretsTab } from './SecretsTab.tsx';
import type { ToolEditor } from './useToolEditor.ts';

interface EditorTabsProps {
  editor: ToolEditor;
  /** Null while it is not saved yet. */
  tool: ManagedTool | null;
  tab: string;
  onTab: (tab: string) => void;
  /** Additional tabs of a saved tool. */
  more?: { value: string; name: string; count?: number; panel: ReactNode }[];
}

const fieldTabs: Record<string, string> = {
  scriptContent: 'script',
  inputSchema: 'schema',
  outputSchema: 'schema',
};

const tabOf = (field: string): string =>
  field.startsWith('executorConfig.secrets')
    ? 'secrets'
    : (fieldTabs[field.split('.', 1)[0] ?? ''] ?? 'details');

export function EditorTabs({ editor, tool, tab, onTab, more = [] }: EditorTabsProps) {
  const { draft, change, problems, problemsOf } = editor;
  const missing = useMissingSecrets(tool);
  const hasScript = draft.executorType === 'python' || draft.executorType === 'shell';
  const count = (value: string): string => {
    // A field with two problems is one thing to fix.
    const fields = problems.map(({ field }) => field).filter((field) => tabOf(field) === value);
    const found = new Set(fields).size;
    return found === 0 ? '' : ` (${found})`;
  };
  const shown = tab === 'script' && !hasScript ? 'details' : tab;
  return (
    <PageTabs
      label="Tool"
      tabs={[
        {
          value: 'details',
          name: `Details${count('details')}`,
          panel: <DetailsTab editor={editor} />,
        },
        ...(hasScript
          ? [
              {
                value: 'script',
                name: `Script${count('script')}`,
                panel: (
                  <>
                    <Notice tone="neutral">
                      <Text size="sm">
                        Scripts run with your permissions, in a temporary folder. They can’t see
                        Touchstone’s secrets and are stopped after 30 s.
                      </Text>
                    </Notice>
                    {draft.executorType === 'python' && <MissingPython />}
                    <div style={{ marginTop: 12 }}>
                      <CodeEditor
                        label={draft.executorType === 'python' ? 'Python script' : 'Shell script'}
                        description={
                          draft.executorType === 'python'
                            ? 'Reads arguments as JSON from standard input and writes its result as JSON to ' +
                              'standard output.'
                            : 'Run by sh. $1, $2, … are the arguments listed in the executor settings.'
                        }
                        language={draft.executorType === 'python' ? 'python' : 'shell'}
                        height="min(50vh, 560px)"
                        value={draft.scriptContent}
                        onChange={(scriptContent) => change({ scriptContent })}
                        problems={problemsOf('scriptContent')}
                      />
                    </div>
                  </>
                ),
              },
            ]
          : []),
        { value: 'schema', name: `Schema${count('schema')}`, panel: <SchemaTab editor={editor} /> },
        {
          value: 'secrets',
          name: `Secrets${count('secrets') || (missing > 0 ? ` (${missing} not set)` : '')}`,
          panel: <SecretsTab editor={editor} tool={tool} />,
        },
        ...more,
      ]}
      shown={shown}
      onShow={onTab}
    />
  );
}

/**
 * Shown before anything runs: without an interpreter a script can be written, but neither checked
 * nor run.
 */
function MissingPython() {
  const { queries } = useApi();
  const { data } = useRead(queries.workshop.interpreter);
  if (data === undefined || data.found) return null;
  return (
    <Notice tone="warning">
      <Text size="sm" className="ts-foreign">
        {data.reason} You can save this script but not check or run it. Install Python 3, or set its
        path in the workshop settings.
      </Text>
    </Notice>
  );
}

/** How many secrets of the saved tool have no value. */
function useMissingSecrets(tool: ManagedTool | null): number {
  const { queries } = useApi();
  const { data = [] } = useQuery({
    ...queries.workshop.secrets.queryOptions({ input: { id: tool?.id ?? '' } }),
    enabled: tool !== null,
  });
  return data.filter(({ status }) => status === 'not set').length;
}
