import { Autocomplete, NumberInput, Select, TagsInput, Textarea } from '@mantine/core';
import type { JsonValue } from './json.ts';
import { PlainText } from '../text/Foreign.tsx';
import { type ArgumentField, descriptionOf } from './argumentFields.ts';
import { typed } from '../fields/controls.tsx';

export interface ArgumentInputProps {
  field: ArgumentField;
  value: JsonValue | undefined;
  /** The typed text of a JSON value while it is not valid JSON. */
  draft: string | undefined;
  onValue: (value: JsonValue | undefined) => void;
  onDraft: (text: string) => void;
  /** What is wrong with the value, from the last try. */
  problem?: string | undefined;
  /** Set where the name is shown elsewhere: what the input is called instead. */
  nameless?: string;
}

/** The input of one parameter. An empty input leaves the parameter out. */
export function ArgumentInput(props: ArgumentInputProps) {
  const { field, value, draft, onValue, onDraft, problem, nameless } = props;
  const labeled = {
    label: <PlainText as="span" className="ts-mono" text={field.name} />,
    description: shownDescription(field),
    withAsterisk: field.required,
    error: problem,
  };
  const shared = nameless === undefined ? labeled : { 'aria-label': nameless };
  const placeholder = field.required ? '' : 'not set';
  switch (field.kind) {
    case 'text':
      if (field.suggestions.length > 0)
        return (
          <Autocomplete
            {...shared}
            data={field.suggestions}
            placeholder={placeholder}
            value={typeof value === 'string' ? value : ''}
            onChange={(text) => onValue(text === '' && !field.required ? undefined : text)}
          />
        );
      return (
        <Textarea
          {...shared}
          minRows={1}
          maxRows={8}
          placeholder={value === '' ? 'empty text' : placeholder}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) =>
            onValue(
              event.currentTarget.value === '' && !field.required
                ? undefined
                : event.currentTarget.value,
            )
          }
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          data={field.choices}
          clearable={!field.required}
          placeholder={placeholder}
          value={typeof value === 'string' ? value : null}
          onChange={(chosen) => onValue(chosen ?? undefined)}
        />
      );
    case 'boolean':
      return (
        <Select
          {...shared}
          data={['true', 'false']}
          clearable={!field.required}
          placeholder={placeholder}
          value={typeof value === 'boolean' ? String(value) : null}
          onChange={(chosen) => onValue(chosen === null ? undefined : chosen === 'true')}
        />
      );
    case 'number':
    case 'integer':
      return (
        <NumberInput
          {...shared}
          allowDecimal={field.kind === 'number'}
          clampBehavior="none"
          {...(field.minimum === null ? {} : { min: field.minimum })}
          {...(field.maximum === null ? {} : { max: field.maximum })}
          placeholder={placeholder}
          value={typeof value === 'number' ? value : ''}
          onChange={(typed) => onValue(typeof typed === 'number' ? typed : undefined)}
        />
      );
    case 'texts':
      return (
        <TagsInput
          {...shared}
          splitChars={[]}
          placeholder={Array.isArray(value) ? '' : placeholder}
          value={Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []}
          onChange={(items) => onValue(items.length === 0 ? undefined : items)}
        />
      );
    case 'json': {
      const text = draft ?? (value === undefined ? '' : JSON.stringify(value, null, 2));
      return (
        <Textarea
          {...shared}
          minRows={1}
          maxRows={10}
          spellCheck={false}
          placeholder={field.required ? 'JSON' : 'JSON; not set'}
          {...typed(text, onDraft)}
          error={draft === undefined || isJsonText(draft) ? problem : 'Invalid JSON.'}
          styles={{ input: { fontFamily: 'var(--ts-mono)', fontSize: 12 } }}
        />
      );
    }
  }
}

function shownDescription(field: ArgumentField) {
  const text = descriptionOf(field);
  return text === null ? undefined : <PlainText text={text} />;
}

function isJsonText(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
