import { NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Action, submitting, typed } from '../../ui/fields/controls.tsx';
import type { WorkshopSettings } from '../../../src-shared/domain/workshop.ts';
import { useApi, useRead } from '../../api/index.ts';
import { errorOfField } from '../../ui/notices/describeError.ts';
import { Loaded, Notice, showDone } from '../../ui/notices/notices.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';

export function WorkshopSettingsPanel({ onClose }: { onClose: () => void }) {
  const settings = useRead((ask) => ask.workshop.settings);
  return (
    <SidePanel title="Workshop settings" onClose={onClose}>
      <Loaded query={settings} blocks={[200]}>
        {(saved) => <Fields saved={saved} onSaved={onClose} />}
      </Loaded>
    </SidePanel>
  );
}

function Fields({ saved, onSaved }: { saved: WorkshopSettings; onSaved: () => void }) {
  const { client, queries, reread } = useApi();
  const [form, setForm] = useState(saved);
  const interpreter = useRead((ask) => ask.workshop.interpreter);
  const limits = useRead((ask) => ask.workshop.limits);
  const save = useMutation({
    mutationFn: () => client.workshop.updateSettings(form),
    onSuccess: async () => {
      await reread(queries.workshop);
      showDone('Saved.');
      onSaved();
    },
  });
  const number = (
    name: 'retentionDays' | 'concurrency' | 'memoryMb',
    min: number,
    max: number,
  ) => ({
    ...{ min, max },
    value: form[name],
    error: errorOfField(save.error, name),
    onChange: (value: number | string): void => setForm({ ...form, [name]: Number(value) }),
  });
  return (
    <form {...submitting(() => save.mutate())}>
      <Stack gap="md">
        <TextInput
          label="Python interpreter"
          description="A command or path. If empty, python3 or python."
          placeholder="python3"
          {...typed(form.python, (python) => setForm({ ...form, python }))}
          error={errorOfField(save.error, 'python')}
          styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        />
        {interpreter.data !== undefined && (
          <Notice tone={interpreter.data.found ? 'good' : 'warning'}>
            {interpreter.data.found
              ? `Python ${interpreter.data.version ?? ''} at ${interpreter.data.command ?? ''} ` +
                'is used.'
              : `${interpreter.data.reason ?? ''} You can write Python tools but not run them.`}
          </Notice>
        )}
        <NumberInput
          label="Keep executions for"
          suffix=" days"
          {...number('retentionDays', 1, 3650)}
        />
        <NumberInput
          label="Executions at a time"
          description="More than that wait."
          {...number('concurrency', 1, 128)}
        />
        <NumberInput
          label="Memory per script process"
          description={
            limits.data?.memory === false ? 'This system can’t enforce a limit.' : '0: no limit.'
          }
          suffix=" MB"
          {...number('memoryMb', 0, 1_048_576)}
        />
        <Action
          label="Save settings"
          filled
          type="submit"
          style={{ alignSelf: 'flex-start' }}
          loading={save.isPending}
        />
      </Stack>
    </form>
  );
}
