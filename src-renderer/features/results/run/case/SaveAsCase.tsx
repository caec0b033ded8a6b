import { Menu } from '@mantine/core';
import { IconChevronDown, IconPlaylistAdd } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { Action } from '../../../../ui/fields/controls.tsx';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { newCaseOf, type NewCase } from './newCase.ts';
import type { CaseContent } from '../../../../../src-shared/domain/testCase.ts';
import { useApi } from '../../../../api/index.ts';
import { showDone, useAct } from '../../../../ui/notices/notices.tsx';

/**
 * Adds the request of a run to its suite, with the expected call or the one that was made, and opens
 * the new case for editing.
 */
export function SaveAsCase({ suiteId, detail }: { suiteId: string; detail: RunDetail }) {
  const save = useSaveCase(suiteId);
  const expected = newCaseOf(detail, 'expected');
  const made = newCaseOf(detail, 'made');
  const icon = <IconPlaylistAdd size={16} aria-hidden />;
  const start = (content: NewCase) => () => save.mutate(content);
  if (made === null)
    return (
      <Action
        label="Save as new case"
        leftSection={icon}
        loading={save.isPending}
        onClick={start(expected)}
      />
    );
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Action
          label="Save as new case"
          leftSection={icon}
          after={IconChevronDown}
          loading={save.isPending}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={start(expected)}>With the expected call</Menu.Item>
        <Menu.Item onClick={start(made)}>With the call that was made</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Adds a case to a suite and opens it for editing. */
function useSaveCase(suiteId: string) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  return useAct((content: CaseContent) => client.suites.createCase({ ...content, suiteId }), {
    onSuccess: async ({ id, name }) => {
      await reread(queries.suites);
      showDone(`Saved case “${name}”.`);
      await navigate(`/suites/${suiteId}?case=${id}`);
    },
  });
}

/** Adds the calls of a step to the suite as a test case, and opens it for editing. */
export function SaveStepAsCase({ suiteId, content }: { suiteId: string; content: CaseContent }) {
  const save = useSaveCase(suiteId);
  return (
    <div>
      <Action
        label="Save as new case"
        size="xs"
        icon={IconPlaylistAdd}
        loading={save.isPending}
        onClick={() => save.mutate(content)}
      />
    </div>
  );
}
