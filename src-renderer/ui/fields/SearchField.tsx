import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { useShortcut } from '../keyboard/useShortcut.ts';
import { typed } from './typed.ts';

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
  label: string;
}

/** The search field of a list; `/` focuses it. */
export function SearchField({ value, onChange, label }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcut('/', () => field.current?.focus(), label);
  return (
    <TextInput
      ref={field}
      type="search"
      size="xs"
      w={260}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      {...typed(value, onChange)}
    />
  );
}
