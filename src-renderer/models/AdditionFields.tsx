import { Stack, Switch, Textarea } from '@mantine/core';
import { modelFields } from '../../src-shared/domain/modelFields.ts';
import {
  additionFaults,
  additionForms,
  additionNames,
  type TypedAdditions,
} from '../../src-shared/domain/requestAdditions.ts';
import classes from './AdditionFields.module.css';
import { ticked, typed } from '../ui/fields/controls.tsx';

interface AdditionFieldsProps {
  value: TypedAdditions;
  faultOf: (field: string) => string | undefined;
  onChange: (part: Partial<TypedAdditions>) => void;
  /** When a credential moves to the key store. */
  when?: string;
  /** False where answers are never streamed. */
  streams?: boolean;
}

export function AdditionFields(props: AdditionFieldsProps) {
  const { value, faultOf, onChange, when = ' when the evaluation starts', streams = true } = props;
  return (
    <>
      {additionNames.map((name) => (
        <Textarea
          key={name}
          label={modelFields[name].form.label}
          description={`${modelFields[name].form.description} A credential moves to the key store${when}.`}
          placeholder={additionForms[name].example}
          minRows={1}
          maxRows={8}
          {...typed(value[name], (text) => onChange({ [name]: text }))}
          error={faultOf(name)}
        />
      ))}
      {streams && (
        <Switch
          {...modelFields.stream.form}
          {...ticked(value.stream, (stream) => onChange({ stream }))}
        />
      )}
    </>
  );
}

interface FoldedAdditionsProps extends Omit<AdditionFieldsProps, 'faultOf' | 'onChange'> {
  onChange: (value: TypedAdditions) => void;
}

/** The same for a model that is asked for something else, folded away. */
export function FoldedAdditions({ onChange, ...props }: FoldedAdditionsProps) {
  const faults = additionFaults(props.value);
  return (
    <details className={classes.fold} open={faults.size > 0 || undefined}>
      <summary>Headers, query and body</summary>
      <Stack gap="sm" mt="xs">
        <AdditionFields
          {...props}
          faultOf={(field) => faults.get(field)}
          onChange={(part) => onChange({ ...props.value, ...part })}
        />
      </Stack>
    </details>
  );
}
