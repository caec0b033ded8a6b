import { Stack, Text } from '@mantine/core';
import { PlainText } from './PlainText.tsx';
import { WordDiff } from './WordDiff.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

interface ChangedPart {
  part: string;
  before: string | null;
  after: string | null;
}

export interface Changes {
  added: readonly string[];
  removed: readonly string[];
  changed: readonly { name: string; parts: readonly ChangedPart[] }[];
  instructions: ChangedPart | null;
  /** What changed besides tools. */
  items: {
    added: readonly { kind: string; name: string }[];
    removed: readonly { kind: string; name: string }[];
    changed: readonly { kind: string; name: string; parts: readonly ChangedPart[] }[];
  };
}

const partNames: Record<string, string> = {
  title: 'Title',
  description: 'Description',
  inputSchema: 'Input schema',
  outputSchema: 'Output schema',
  annotations: 'Annotations',
  instructions: 'Instructions of the server',
  mimeType: 'Media type',
  arguments: 'Arguments',
  name: 'Name',
};

const itemLabel = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`;

/** The differences between two states of a list of tools, word by word. */
export function ChangeList({ changes }: { changes: Changes }) {
  const { instructions, items } = changes;
  const added = [...changes.added, ...items.added.map(itemLabel)];
  const removed = [...changes.removed, ...items.removed.map(itemLabel)];
  const changed = [
    ...changes.changed,
    ...items.changed.map(({ parts, ...item }) => ({ name: itemLabel(item), parts })),
  ];
  return (
    <Stack gap="md">
      {added.length > 0 && <Names label="Added" names={added} />}
      {removed.length > 0 && <Names label="Removed" names={removed} />}
      {[...(instructions === null ? [] : [{ name: null, parts: [instructions] }]), ...changed].map(
        ({ name, parts }) => (
          <section key={name ?? ''} aria-label={name ?? 'Instructions'}>
            {name !== null && (
              <Text fw={600} className="ts-mono ts-foreign">
                <PlainText text={name} />
              </Text>
            )}
            {parts.map(({ part, before, after }) => (
              <div key={part} style={{ marginTop: 8 }}>
                <p className="ts-quiet">
                  {partNames[part] ?? part}
                  {before === null ? ': it had none' : after === null ? ': removed' : ''}
                </p>
                <WordDiff before={before} after={after} />
              </div>
            ))}
          </section>
        ),
      )}
      {added.length + removed.length + changed.length === 0 && instructions === null && (
        <Text>The tools are the same; only their order or the server’s reported name differs.</Text>
      )}
    </Stack>
  );
}

function Names({ label, names }: { label: string; names: readonly string[] }) {
  return (
    <Text size="sm">
      {label}:{' '}
      <PlainText as="span" className="ts-mono ts-foreign" text={names.slice(0, 200).join(', ')} />
      {names.length > 200 && ` and ${counted(names.length - 200, 'more tool')}`}
    </Text>
  );
}
