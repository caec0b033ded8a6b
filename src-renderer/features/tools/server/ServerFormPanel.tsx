import { Checkbox, Input, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Server } from '../../../../src-shared/domain/server.ts';
import { useApi } from '../../../api/index.ts';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import { errorOfField } from '../../../ui/notices/describeError.ts';
import { ErrorNotice, showDone } from '../../../ui/notices/notices.tsx';
import { FormPanel } from '../../../ui/fields/FormPanel.tsx';
import { useFirstProblem } from '../../../ui/fields/useFirstProblem.ts';
import { suggestedName } from './suggestedName.ts';
import { commandLine } from './commandLine.ts';
import { HttpFields, SkillsFields, StdioFields } from './TransportFields.tsx';
import {
  emptyServerForm,
  type FieldProblems,
  formOfServer,
  inputOfForm,
  type ServerForm,
} from './serverForm.ts';
import { options, ticked, typed } from '../../../ui/fields/controls.tsx';

const kindOf = ({ transport }: Pick<ServerForm, 'transport'>) =>
  transport === 'stdio' || transport === 'skills' ? transport : 'http';

/** What is said above the command, address or folder that the form gives. */
const previewTexts = {
  stdio: { before: 'Touchstone will run this command on your computer:', label: 'Full command' },
  http: { before: 'Touchstone will connect to this address:', label: 'Address' },
  skills: { before: 'Touchstone will read this folder and run nothing in it:', label: 'Folder' },
};

const fieldsOf = { stdio: StdioFields, http: HttpFields, skills: SkillsFields };

interface ServerFormPanelProps {
  /** Null adds a new server. */
  server: Server | null;
  onClose: () => void;
}

export function ServerFormPanel({ server, onClose }: ServerFormPanelProps) {
  const { client, queries, reread } = useApi();
  const [form, setForm] = useState<ServerForm>(() =>
    server === null ? emptyServerForm : formOfServer(server),
  );
  /** Until a person names it, the server is called by what it is reached by. */
  const [isNamed, setNamed] = useState(server !== null);
  const [problems, setProblems] = useState<FieldProblems>({});
  const save = useMutation({
    mutationFn: (input: Parameters<typeof client.servers.create>[0]) =>
      server === null
        ? client.servers.create(input)
        : client.servers.update({ ...input, id: server.id }),
    onSuccess: async (saved) => {
      await reread(queries.servers);
      showDone(
        server === null
          ? `Added server “${saved.name}”. It is being checked.`
          : `Saved server “${saved.name}”.`,
      );
      onClose();
    },
  });

  const change = (part: Partial<ServerForm>): void => {
    setForm((before) => {
      const next = { ...before, ...part };
      return isNamed || 'name' in part ? next : { ...next, name: suggestedName(next) };
    });
    if ('name' in part) setNamed(part.name !== '');
    setProblems({});
    save.reset();
  };
  const errorOf = (field: string): string | undefined =>
    problems[field] ?? errorOfField(save.error, field);
  const formElement = useFirstProblem(save.error ?? problems);
  const submit = (): void => {
    const result = inputOfForm(form);
    if (result.ok) save.mutate(result.input);
    else setProblems(result.problems);
  };
  const TransportFields = fieldsOf[kindOf(form)];
  const preview = inputOfForm({ ...form, name: form.name.trim() === '' ? 'unnamed' : form.name });
  const shownAtField = [
    'name',
    'transport',
    'command',
    'args',
    'cwd',
    'env',
    'url',
    'headers',
    'startTimeoutMs',
    'folder',
  ].some((field) => errorOfField(save.error, field) !== undefined);

  return (
    <FormPanel
      title={server === null ? 'Add server' : 'Edit server'}
      saveLabel={server === null ? 'Add server' : 'Save server'}
      saving={save.isPending}
      formRef={formElement}
      onSubmit={submit}
      onClose={onClose}
    >
      <Input.Wrapper label="Connection" labelElement="div" error={errorOf('transport')}>
        <SegmentedControl
          size="sm"
          fullWidth
          mt={4}
          aria-label="Connection"
          value={kindOf(form)}
          data={options({
            stdio: 'Command (stdio)',
            http: 'Address (HTTP)',
            skills: 'Skills folder',
          })}
          onChange={(kind) =>
            change({ transport: kind === 'stdio' || kind === 'skills' ? kind : 'streamable-http' })
          }
        />
      </Input.Wrapper>
      <TransportFields form={form} change={change} errorOf={errorOf} />
      <TextInput
        label="Name"
        description="Prefix of its tool IDs (name:tool). No colons."
        required
        {...typed(form.name, (name) => change({ name }), errorOf('name'))}
      />
      <Checkbox
        label="List its tools"
        description="As soon as it has answered. Otherwise, only whether it can be reached is checked."
        {...ticked(form.listTools, (listTools) => change({ listTools }))}
      />
      {preview.ok && (
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            {previewTexts[kindOf(form)].before}
          </Text>
          <CodeView
            text={commandLine(preview.input.config)}
            copy={false}
            label={previewTexts[kindOf(form)].label}
          />
        </div>
      )}
      {save.isError && !shownAtField && <ErrorNotice error={save.error} />}
    </FormPanel>
  );
}
