import { Group, NumberInput, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { ArgumentInput, type ArgumentInputProps } from '../../ui/arguments/ArgumentInput.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import classes from './ExpectedArgument.module.css';
import {
  between,
  boundsOf,
  matcherLabels,
  matcherOf,
  matchersFor,
  type MatcherKind,
  operandsOf,
  withMatcher,
} from './expectedValue.ts';
import { choosing, typed } from '../../ui/fields/controls.tsx';

/** Values that an unset argument starts from, by kind of field. */
const examples: Record<ArgumentInputProps['field']['kind'], JsonValue> = {
  text: '',
  number: 0,
  integer: 0,
  boolean: true,
  choice: '',
  texts: [],
  json: null,
};

interface ExpectedArgumentProps extends ArgumentInputProps {
  /** The matchers to choose from; by default all that fit the field. */
  offered?: MatcherKind[];
}

/** One expected argument: how it is compared, and with what. */
export function ExpectedArgument({ offered: chosen, ...props }: ExpectedArgumentProps) {
  const { field, value, onValue } = props;
  const read = props.draft === undefined ? matcherOf(value) : 'json';
  const kind = read === 'optional' && field.declaredKind === 'json' ? 'json' : read;
  const offered = chosen ?? matchersFor(field.declaredKind);
  const example =
    field.declaredKind === 'choice' ? (field.choices[0] ?? '') : examples[field.declaredKind];
  return (
    <div className={classes.row} role="group" aria-label={field.name}>
      <div className={classes.name}>
        <Text size="sm" fw={500} className="ts-mono">
          <PlainText text={field.name} />
          {field.required && (
            <span title="Required by the schema" className={classes.required}>
              {' '}
              *
            </span>
          )}
        </Text>
        {field.description !== null && (
          <Text size="xs" c="dimmed" lineClamp={2}>
            <PlainText text={field.description.slice(0, 400)} />
          </Text>
        )}
      </div>
      <Select
        aria-label={`How ${field.name} is compared`}
        data={(offered.includes(kind) ? offered : [...offered, kind]).map((each) => ({
          value: each,
          label: matcherLabels[each],
        }))}
        {...choosing(kind, (next) => onValue(withMatcher(value, next, example)))}
      />
      <Stack gap={4}>
        <Operand kind={kind} {...props} />
      </Stack>
    </div>
  );
}

function Operand({ kind, ...props }: ArgumentInputProps & { kind: MatcherKind }) {
  const { field, value, onValue } = props;
  const name = `Value of ${field.name}`;
  const [first] = operandsOf(value);
  switch (kind) {
    case 'schema':
    case 'default':
    case 'absent':
    case 'ignore':
      return null;
    case 'any': {
      const isNumber = field.declaredKind === 'number' || field.declaredKind === 'integer';
      return (
        <TagsInput
          aria-label={name}
          placeholder="Type a value, then Enter"
          splitChars={[]}
          data={field.choices}
          value={operandsOf(value).map(String)}
          onChange={(items) => {
            const read = isNumber ? items.map(Number).filter(Number.isFinite) : items;
            onValue({ $any: read });
          }}
        />
      );
    }
    case 'contains':
    case 'pattern':
      return (
        <TextInput
          aria-label={name}
          placeholder={kind === 'pattern' ? 'Regular expression, such as ^2026-' : 'Text'}
          styles={kind === 'pattern' ? { input: { fontFamily: 'var(--ts-mono)' } } : {}}
          {...typed(typeof first === 'string' ? first : '', (text) =>
            onValue(kind === 'pattern' ? { $regex: text } : { $contains: text }),
          )}
        />
      );
    case 'between': {
      const { low, high } = boundsOf(value);
      const read = (typed: string | number): number | null =>
        typeof typed === 'number' ? typed : null;
      return (
        <Group gap="xs" wrap="nowrap">
          <NumberInput
            aria-label={`Minimum of ${field.name}`}
            placeholder="min"
            value={low ?? ''}
            onChange={(typed) => onValue(between(read(typed), high))}
          />
          <Text size="sm">and</Text>
          <NumberInput
            aria-label={`Maximum of ${field.name}`}
            placeholder="max"
            value={high ?? ''}
            onChange={(typed) => onValue(between(low, read(typed)))}
          />
        </Group>
      );
    }
    case 'partial':
    case 'unordered':
    case 'optional':
      return (
        <ArgumentInput
          {...props}
          field={{ ...field, kind: field.declaredKind, required: true }}
          value={first}
          nameless={name}
          onValue={(next) => onValue({ [`$${kind}`]: next ?? null })}
        />
      );
    case 'equals':
    case 'json':
      return (
        <ArgumentInput
          {...props}
          field={{ ...field, kind: kind === 'json' ? 'json' : field.kind, required: true }}
          nameless={name}
        />
      );
  }
}
