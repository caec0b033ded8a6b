import { Button, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import { checkKindTexts, leastMode, modeTexts } from '../../../src-shared/display/taskTexts.ts';
import type { SuiteTask, TaskContent } from '../../../src-shared/domain/task.ts';
import { Fold } from '../../ui/panels/Fold.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { SidePanel } from '../../ui/panels/SidePanel.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { JsonText } from '../../ui/text/JsonText.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';

interface TaskPanelProps {
  task: SuiteTask;
  onExport: () => void;
  onClose: () => void;
}

/** Everything about a task, and how it is edited: in the file of its suite. */
export function TaskPanel({ task, onExport, onClose }: TaskPanelProps) {
  const { key, content } = task;
  return (
    <SidePanel
      title={content.name}
      subtitle={key}
      contentKey={task.id}
      takeFocus={false}
      onClose={onClose}
      footer={
        <>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={onExport}
          >
            Export suite
          </Button>
          <Text size="sm" c="dimmed">
            Tasks are edited in the suite file. Export it, edit it, and import it again.
          </Text>
        </>
      }
    >
      <Section title="Turns">
        <ol style={{ margin: 0, paddingLeft: 20 }}>
          {content.turns.map((turn, index) => (
            <li key={index}>
              <Foreign text={turn} limit={1000} />
            </li>
          ))}
        </ol>
      </Section>
      <Section title="Runs with">
        <Text size="sm">
          {content.servers.length === 0 ? (
            'The servers of the suite.'
          ) : (
            <PlainText text={content.servers.join(', ')} />
          )}
        </Text>
        <Text size="sm">Least mode that can score it: {modeTexts[leastMode(content)].label}.</Text>
        <Text size="sm" c="dimmed">
          {limitsText(content.limits)}
        </Text>
      </Section>
      <Section title="Checks">
        {content.checks.map((check) => (
          <Fold
            key={check.id}
            title={<PlainText text={check.id} />}
            hint={checkKindTexts[check.kind]}
          >
            <JsonText value={check} label={`Definition of ${check.id}`} />
          </Fold>
        ))}
      </Section>
      {(content.setup.length > 0 || content.stubs.length > 0 || content.injection !== null) && (
        <Section title="Preparation">
          {content.setup.length > 0 && (
            <Fold title="Setup" hint={counted(content.setup.length, 'call')}>
              <JsonText value={content.setup} label="Setup" />
            </Fold>
          )}
          {content.stubs.length > 0 && (
            <Fold title="Stub results" hint={counted(content.stubs.length, 'result')}>
              <JsonText value={content.stubs} label="Stub results" />
            </Fold>
          )}
          {content.injection !== null && (
            <Fold title="Injected instruction" hint={content.injection.technique}>
              <JsonText value={content.injection} label="Injected instruction" />
            </Fold>
          )}
        </Section>
      )}
    </SidePanel>
  );
}

const limitsText = ({ steps, toolCalls, seconds, tokens }: TaskContent['limits']): string =>
  `Limits: ${counted(steps, 'step')}, ${counted(toolCalls, 'tool call')}, ` +
  `${counted(seconds, 'second')}, ${formatCount(tokens)} tokens.`;
