import { Group, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { modelForms, type ModelForm } from '../../../src-shared/domain/workshop.ts';
import { useRead } from '../../api/index.ts';
import { JsonText } from '../../ui/text/CodeView.tsx';
import { Loaded, Notice } from '../../ui/notices/notices.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

const words: Record<ModelForm, string> = { openai: 'OpenAI', anthropic: 'Anthropic', mcp: 'MCP' };

function FormChoice(props: { value: ModelForm; onChange: (form: ModelForm) => void }) {
  const { value, onChange } = props;
  return (
    <Group>
      <SegmentedControl
        aria-label="Form"
        value={value}
        data={modelForms.map((form) => ({ value: form, label: words[form] }))}
        onChange={(next) => onChange(modelForms.find((form) => form === next) ?? 'mcp')}
      />
    </Group>
  );
}

/** Every active tool in the format of a provider or a client. */
export function AllModelForms() {
  const [form, setForm] = useState<ModelForm>('openai');
  const models = useRead((ask) => ask.workshop.models, { input: { form } });
  return (
    <Stack gap="sm">
      <FormChoice value={form} onChange={setForm} />
      <Loaded query={models} blocks={[160]}>
        {({ tools, omitted }) => (
          <Stack gap="sm">
            {tools.length === 0 ? (
              <p className="ts-quiet">No active tools.</p>
            ) : (
              <JsonText
                label={`${counted(tools.length, 'tool')} for ${words[form]}`}
                value={tools.map(({ tool }) => tool)}
                maxHeight={240}
              />
            )}
            {omitted.map(({ name, reason }) => (
              <Notice key={name} tone="warning">
                <span className="ts-foreign">
                  {name} isn’t included. {reason}
                </span>
              </Notice>
            ))}
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

/** The latest version of one active tool in the format of a provider or a client. */
export function OneModelForm({ name }: { name: string }) {
  const [form, setForm] = useState<ModelForm>('openai');
  const model = useRead((ask) => ask.workshop.model, { input: { form, name } });
  return (
    <Stack gap="md" maw={860}>
      <FormChoice value={form} onChange={setForm} />
      <Loaded query={model} blocks={[240]}>
        {(tool) => <JsonText label={`${name} for ${words[form]}`} value={tool} />}
      </Loaded>
    </Stack>
  );
}
