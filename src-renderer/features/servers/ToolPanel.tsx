import { formatCount, formatBytes } from '../../../src-shared/display/numbers.ts';
import { Tabs, Text } from '@mantine/core';
import type { Listing } from '../../../src-shared/contract/servers.ts';
import type { ToolSignal } from '../../api/index.ts';
import { Fields } from '../../ui/fields/Fields.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { JsonText } from '../../ui/text/JsonText.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { SignalList } from '../../ui/badges/SignalList.tsx';
import { SidePanel } from '../../ui/panels/SidePanel.tsx';
import { effectOf, effectWords } from './toolCall.ts';
import { ToolCall } from './ToolCall.tsx';
import type { Skill, SkillFile } from '../../../src-shared/domain/skill.ts';
import { CodeView } from '../../ui/text/CodeView.tsx';

interface ToolPanelProps {
  serverId: string;
  tool: Listing['tools'][number];
  signals: readonly ToolSignal[];
  onClose: () => void;
}

const countNote = ({ countProblem }: ToolPanelProps['tool']): string =>
  countProblem === null
    ? 'This tool is large. Its tokens are counted in the background.'
    : `Its tokens can’t be counted: ${countProblem}`;

export function ToolPanel({ serverId, tool, signals, onClose }: ToolPanelProps) {
  return (
    <SidePanel
      title={
        <span className="ts-mono">
          <PlainText text={tool.name} />
        </span>
      }
      subtitle={tool.title ?? undefined}
      onClose={onClose}
      contentKey={tool.hash}
    >
      <Tabs defaultValue="definition" keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="definition">Definition</Tabs.Tab>
          <Tabs.Tab value="signals">Signals ({signals.length})</Tabs.Tab>
          {tool.skill === undefined && <Tabs.Tab value="call">Try it</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="definition">
          {tool.description === '' ? (
            <Text c="dimmed">
              {tool.skill === undefined
                ? 'This tool has no description. A model sees its name and parameters only.'
                : 'This skill has no description. A model sees its name only.'}
            </Text>
          ) : (
            <Foreign text={tool.description} block />
          )}
          <div style={{ margin: '16px 0' }}>
            <Fields
              rows={[
                ...(tool.skill === undefined
                  ? [{ name: 'Effect', value: effectWords[effectOf(tool.annotations)] }]
                  : skillRows(tool.skill)),
                ...(tool.large
                  ? [
                      {
                        name: 'Text',
                        value: 'Too large to show. Print it with touchstone tools --json.',
                      },
                      {
                        name: 'Tokens',
                        value:
                          tool.tokenCount === null ? countNote(tool) : formatCount(tool.tokenCount),
                      },
                    ]
                  : []),
                { name: 'Last updated', value: <Time iso={tool.lastUpdated} /> },
                {
                  name: 'Content hash',
                  value: <span className="ts-mono">{tool.hash.slice(0, 16)}</span>,
                },
              ]}
            />
          </div>
          {tool.skill === undefined ? (
            <JsonText value={tool.inputSchema} label="Input schema" />
          ) : (
            <SkillContent skill={tool.skill} />
          )}
          {tool.outputSchema !== null && (
            <div style={{ marginTop: 12 }}>
              <JsonText value={tool.outputSchema} label="Output schema" />
            </div>
          )}
          {tool.annotations !== null && (
            <div style={{ marginTop: 12 }}>
              <JsonText value={tool.annotations} label="Annotations" />
            </div>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="signals">
          <SignalList signals={signals} />
        </Tabs.Panel>
        <Tabs.Panel value="call">
          <ToolCall key={tool.hash} serverId={serverId} tool={tool} />
        </Tabs.Panel>
      </Tabs>
    </SidePanel>
  );
}

/** Facts of a skill besides what a model chooses it by. */
const skillRows = ({ folder, fields }: Skill) => [
  { name: 'Folder', value: <Foreign text={folder} limit={200} /> },
  ...Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [{ name, value: <Foreign text={value} limit={400} /> }] : [],
  ),
];

/** What a model reads when it uses a skill, and the other files of its folder, as text. */
function SkillContent({ skill }: { skill: Skill }) {
  const others = Object.fromEntries(
    Object.entries(skill.fields).filter(([, value]) => typeof value !== 'string'),
  );
  return (
    <>
      <CodeView text={skill.body.trim()} label="SKILL.md, loaded when the skill is used" />
      {Object.keys(others).length > 0 && (
        <div style={{ marginTop: 12 }}>
          <JsonText value={others} label="Other fields" />
        </div>
      )}
      {skill.files.map((file) => (
        <FileView key={file.path} file={file} />
      ))}
    </>
  );
}

function FileView({ file: { path, bytes, text, problem } }: { file: SkillFile }) {
  if (text !== null && text !== '')
    return (
      <div style={{ marginTop: 12 }}>
        <CodeView text={text} label={path} maxHeight={240} limit={4_000} />
      </div>
    );
  return (
    <Text size="sm" mt="sm">
      <span className="ts-mono">
        <Foreign text={path} limit={200} />
      </span>{' '}
      ({formatBytes(bytes)}): {problem ?? (text === null ? 'It isn’t text.' : 'It is empty.')}
    </Text>
  );
}
