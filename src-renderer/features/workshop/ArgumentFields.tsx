import { Checkbox, NumberInput, Stack, TextInput } from '@mantine/core';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { errorOfField } from '../../ui/notices/describeError.ts';
import type { PlainParameter } from './plainSchema.ts';

interface ArgumentFieldsProps {
  parameters: readonly PlainParameter[];
  value: JsonObject;
  onChange: (value: JsonObject) => void;
  error: unknown;
}

/** One field per plain parameter. An empty optional field is left out. */
export function ArgumentFields({ parameters, value, onChange, error }: ArgumentFieldsProps) {
  const set = (name: string, given: JsonValue | undefined): void => {
    const { [name]: _old, ...rest } = value;
    onChange(given === undefined ? rest : { ...rest, [name]: given });
  };
  return (
    <Stack gap="sm">
      {parameters.map(({ name, type, description, required }) => {
        const common = {
          label: name,
          description: description === '' ? undefined : description,
          error: errorOfField(error, `arguments.${name}`),
        };
        const given = value[name];
        if (type === 'boolean')
          return (
            <Checkbox
              key={name}
              {...common}
              checked={given === true}
              onChange={(event) => {
                set(name, event.currentTarget.checked);
              }}
            />
          );
        if (type === 'string') {
          return (
            <TextInput
              key={name}
              {...common}
              required={required}
              value={typeof given === 'string' ? given : ''}
              onChange={(event) => {
                const text = event.currentTarget.value;
                set(name, text === '' && !required ? undefined : text);
              }}
            />
          );
        }
        return (
          <NumberInput
            key={name}
            {...common}
            required={required}
            allowDecimal={type === 'number'}
            value={typeof given === 'number' ? given : ''}
            onChange={(next) => {
              set(name, typeof next === 'number' ? next : undefined);
            }}
          />
        );
      })}
    </Stack>
  );
}
