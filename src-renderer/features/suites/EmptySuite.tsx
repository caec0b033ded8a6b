import { Group, Text } from '@mantine/core';
import { Action } from '../../ui/fields/Action.tsx';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { Section } from '../../ui/panels/Section.tsx';
import { ImportCases } from './ImportCases.tsx';
import { ProposeCases } from './ProposeCases.tsx';

interface EmptySuiteProps {
  suite: Suite;
  onNewCase: () => void;
  onNewTask: () => void;
  onAddCases: () => void;
}

/** Every way to the first cases of a suite. */
export function EmptySuite({ suite, onNewCase, onNewTask, onAddCases }: EmptySuiteProps) {
  return (
    <>
      <Section title="No cases yet">
        <Text size="sm" c="dimmed" mb="sm">
          A case is a request and the tool call that should answer it. A task is what a user asks
          for, and checks that decide whether it got done.
        </Text>
        <Group gap="sm">
          <Action label="Add cases for a tool" onClick={onAddCases} />
          <Action label="New case" onClick={onNewCase} />
          <Action label="New task" onClick={onNewTask} />
        </Group>
      </Section>
      <Section title="Propose cases">
        <ProposeCases suite={suite} quiet />
      </Section>
      <Section title="Import cases">
        <ImportCases into={suite.id} />
      </Section>
    </>
  );
}
