import { Stack, Textarea } from '@mantine/core';
import { MatcherHelp } from './MatcherHelp.tsx';
import { typed } from '../../ui/fields/controls.tsx';

interface JsonFieldProps {
  label: string;
  description?: string;
  text: string;
  error: string | undefined;
  /** True where objects whose names begin with $ are matchers. */
  matchers?: boolean;
  onText: (text: string) => void;
}

/** A JSON value as text. */
export function JsonField(props: JsonFieldProps) {
  const { label, description, text, error, matchers, onText } = props;
  return (
    <Stack gap="xs">
      <Textarea
        label={label}
        description={description}
        required
        minRows={2}
        maxRows={16}
        spellCheck={false}
        {...typed(text, onText, error)}
        styles={{ input: { fontFamily: 'var(--ts-mono)', fontSize: 12 } }}
      />
      {matchers === true && <MatcherHelp />}
    </Stack>
  );
}
