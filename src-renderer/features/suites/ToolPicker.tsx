import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { resolveTool } from './resolveTool.ts';
import type { ToolChoices } from './useToolChoices.ts';

interface ToolPickerProps {
  label: string;
  /** `server:tool`, or empty while none is chosen. */
  value: string;
  choices: ToolChoices;
  error?: string | undefined;
  autoFocus?: boolean;
  onChange: (id: string) => void;
}

/**
 * Searches the listed tools by name and description. A full name, typed or pasted, is chosen as it
 * is, also of a tool that is not listed.
 */
export function ToolPicker({ label, value, choices, error, autoFocus, onChange }: ToolPickerProps) {
  const [search, setSearch] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setSearch(value);
  }
  const choose = (id: string): void => {
    setSearch(id);
    if (id !== value) onChange(id);
  };
  const typed = search.trim();
  const listed = choices.groups.flatMap(({ items }) => items);
  const own = [value, /^[^:]+:.+$/.test(typed) ? typed : ''].filter(
    (id, index, all) => id !== '' && !listed.includes(id) && all.indexOf(id) === index,
  );
  return (
    <Select
      label={label}
      placeholder="Search tools by name or description"
      searchable
      // A form that opens by the button “New case” begins here.
      autoFocus={autoFocus ?? false}
      maxDropdownHeight={320}
      limit={200}
      nothingFoundMessage="No tools match. Type server:tool to use one that isn’t listed."
      data={[...(own.length === 0 ? [] : [{ group: 'Not listed', items: own }]), ...choices.groups]}
      filter={({ options, search: words, limit }) => {
        const terms = words.toLowerCase().split(/\s+/).filter(Boolean);
        const matches = (id: string): boolean => {
          const text = `${id} ${choices.descriptionOf(id)}`.toLowerCase();
          return terms.every((term) => text.includes(term));
        };
        return options
          .map((option) =>
            'items' in option
              ? {
                  ...option,
                  items: option.items.filter(({ value: id }) => matches(id)).slice(0, limit),
                }
              : option,
          )
          .filter((option) => !('items' in option) || option.items.length > 0);
      }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm" className="ts-mono">
            <PlainText text={option.value} />
          </Text>
          <Text size="xs" c="dimmed" lineClamp={2}>
            <PlainText text={choices.descriptionOf(option.value).slice(0, 240)} />
          </Text>
        </div>
      )}
      value={value === '' ? null : value}
      searchValue={search}
      onSearchChange={setSearch}
      error={error}
      onChange={(id) => {
        if (id !== null) onChange(id);
      }}
      onPaste={(event) => {
        const id = resolveTool(event.clipboardData.getData('text'), choices.groups);
        if (id === null) return;
        event.preventDefault();
        choose(id);
      }}
      onKeyDown={(event) => {
        const id = event.key === 'Enter' ? resolveTool(search, choices.groups) : null;
        if (id === null || id === value) return;
        event.preventDefault();
        choose(id);
      }}
      onBlur={() => choose(resolveTool(search, choices.groups) ?? value)}
    />
  );
}
