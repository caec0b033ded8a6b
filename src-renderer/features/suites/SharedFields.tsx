import { TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { nameFrom } from './caseForm.ts';
import type { ToolChoices } from './useToolChoices.ts';
import { held, typed } from '../../ui/fields/controls.tsx';

interface SharedForm {
  key: string;
  name: string;
  tags: string[];
  servers: string[];
}

interface SharedProps {
  form: SharedForm;
  problems: Readonly<Record<string, string>>;
  onChange: (part: Partial<SharedForm>) => void;
}

/** The name, which is the start of what the user says unless one is given. */
export function NameField(props: SharedProps & { said: string; of: string }) {
  const { form, problems, onChange, said, of } = props;
  return (
    <TextInput
      label="Name"
      placeholder={nameFrom(said)}
      description={`If empty, the start of the ${of}.`}
      {...typed(form.name, (name) => onChange({ name }), problems['name'])}
    />
  );
}

interface OptionFieldsProps extends SharedProps {
  unit: EvaluationUnit;
  choices: ToolChoices;
  /** Tags of the other cases and tasks of the suite. */
  knownTags: string[];
  /** Options that only one unit has. */
  children?: ReactNode;
}

export function OptionFields(props: OptionFieldsProps) {
  const { unit, form, problems, choices, knownTags, onChange, children } = props;
  return (
    <>
      <TagsInput
        label="Tags"
        data={knownTags}
        clearable
        {...held(form.tags, (tags) => onChange({ tags }), problems['tags'])}
      />
      <TagsInput
        label="Servers"
        description="Servers whose tools the model sees. If empty, the suite's servers."
        data={choices.servers}
        splitChars={[]}
        {...held(form.servers, (servers) => onChange({ servers }), problems['servers'])}
      />
      {children}
      <TextInput
        label="Key"
        description={`The ${unit}'s ID in the suite file. If empty, it is derived from the name.`}
        {...typed(form.key, (key) => onChange({ key }), problems['key'])}
        styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
      />
    </>
  );
}
