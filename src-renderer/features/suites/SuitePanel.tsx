import { TagsInput, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi, useRead } from '../../api/index.ts';
import { errorOfField } from '../../ui/notices/describeError.ts';
import { ErrorNotice, showDone } from '../../ui/notices/notices.tsx';
import { ArgumentsModeField } from '../../ui/fields/ArgumentsModeField.tsx';
import { FormPanel } from '../../ui/fields/FormPanel.tsx';
import { PriorMessages } from './PriorMessages.tsx';
import { formOfSuite, inputOfSuiteForm, type SuiteForm } from './suiteForm.ts';
import { typed } from '../../ui/fields/controls.tsx';

interface SuitePanelProps {
  /** Null creates a new suite. */
  suite: Suite | null;
  onClose: () => void;
  onSaved?: (suite: Suite) => void;
}

/** What all cases of a suite share: name, servers, system prompt, prior messages. */
export function SuitePanel({ suite, onClose, onSaved }: SuitePanelProps) {
  const { client, queries, reread } = useApi();
  const servers = useRead((ask) => ask.servers.list);
  const [form, setForm] = useState<SuiteForm>(() => formOfSuite(suite));
  const [nameless, setNameless] = useState(false);
  const save = useMutation({
    mutationFn: (given: SuiteForm) => {
      const input = inputOfSuiteForm(given);
      return suite === null
        ? client.suites.create(input)
        : client.suites.update({ ...input, id: suite.id });
    },
    onSuccess: async (saved) => {
      await reread(queries.suites);
      showDone(suite === null ? `Created suite “${saved.name}”.` : `Saved suite “${saved.name}”.`);
      onClose();
      onSaved?.(saved);
    },
  });
  const change = (part: Partial<SuiteForm>): void => {
    setForm({ ...form, ...part });
    setNameless(false);
    if (save.isError) save.reset();
  };
  return (
    <FormPanel
      title={suite === null ? 'New suite' : 'Suite settings'}
      saveLabel={suite === null ? 'Create suite' : 'Save suite'}
      saving={save.isPending}
      onSubmit={() => {
        if (form.name.trim() === '') setNameless(true);
        else save.mutate(form);
      }}
      onClose={onClose}
    >
      <ErrorNotice error={save.error} />
      <TextInput
        label="Name"
        required
        {...typed(form.name, (name) => change({ name }))}
        error={nameless ? 'A suite needs a name.' : errorOfField(save.error, 'name')}
      />
      <TagsInput
        label="Servers"
        description="Used unless a case names its own servers."
        data={servers.data?.map((server) => server.name) ?? []}
        value={form.servers}
        error={errorOfField(save.error, 'servers')}
        splitChars={[]}
        onChange={(names) => change({ servers: names })}
      />
      <Textarea
        label="System prompt"
        description="Sent before every query. If empty, none is sent."
        minRows={3}
        maxRows={14}
        {...typed(form.system, (system) => change({ system }))}
      />
      <TextInput
        label="Folder"
        description="Where files and programs of tasks are. An import by command fills it."
        {...typed(form.folder, (folder) => change({ folder }), errorOfField(save.error, 'folder'))}
      />
      <ArgumentsModeField
        value={form.argumentsMode}
        inherited="As in the evaluation"
        onChange={(argumentsMode) => change({ argumentsMode })}
      />
      <PriorMessages
        description="A conversation that is sent before every query."
        messages={form.messages}
        onChange={(messages) => change({ messages })}
      />
    </FormPanel>
  );
}
