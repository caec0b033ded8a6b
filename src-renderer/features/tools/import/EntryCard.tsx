import { Checkbox, Group, PasswordInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { namedValues } from '../../../../src-shared/domain/server.ts';
import { notCarriedText, startTimeoutText } from '../../../../src-shared/display/serverTexts.ts';
import type { ServerImportEntry } from '../../../../src-shared/domain/serverImport.ts';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { Notice } from '../../../ui/notices/notices.tsx';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import { type EntryAction, possibleActions } from './importChoice.ts';
import classes from './import.module.css';
import { typed } from '../../../ui/fields/controls.tsx';

const states: Record<ServerImportEntry['state'], { tone: StatusTone; label: string }> = {
  new: { tone: 'good', label: 'New' },
  same: { tone: 'idle', label: 'Already there' },
  conflict: { tone: 'warning', label: 'Conflict' },
  skipped: { tone: 'bad', label: 'Skipped' },
};

interface EntryCardProps {
  entry: ServerImportEntry;
  act: EntryAction;
  values: Readonly<Record<string, string>>;
  onAct: (act: EntryAction) => void;
  onValue: (reference: string, value: string) => void;
  notSecret: readonly string[];
  onNotSecret: (names: string[]) => void;
}

/** One server of the file: the full command, warnings, and what will happen to it. */
export function EntryCard(props: EntryCardProps) {
  const { entry, act, values, onAct, onValue, notSecret, onNotSecret } = props;
  const acts = possibleActions(entry);
  const danger = entry.marks.filter(({ severity }) => severity === 'danger');
  const startTimeout = startTimeoutText(entry.config);
  const notes = [
    ...entry.marks.filter(({ severity }) => severity === 'note').map(({ reason }) => reason),
    ...entry.warnings,
    ...(startTimeout === null ? [] : [startTimeout]),
    ...(entry.notCarried.length > 0 ? [notCarriedText(entry.notCarried)] : []),
  ];
  const named = entry.config === null ? {} : namedValues(entry.config);
  const missing = entry.variables.filter(({ resolved }) => !resolved);
  return (
    <article className={classes.entry} aria-label={`Server ${entry.name}`}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={600} className="ts-foreign">
            <PlainText text={entry.name} />
          </Text>
          <StatusBadge {...states[entry.state]} />
        </Group>
        {entry.reason !== null && (
          <Text size="sm">
            <Foreign
              text={entry.line === null ? entry.reason : `Line ${entry.line}: ${entry.reason}`}
            />
          </Text>
        )}
        {danger.length > 0 && (
          <Notice tone="danger">
            {danger.map(({ reason }) => (
              <Text key={reason} size="sm">
                <PlainText text={reason} />
              </Text>
            ))}
          </Notice>
        )}
        {entry.command !== null && (
          <CodeView
            text={entry.command}
            limit={1_000_000}
            copy={false}
            maxHeight={200}
            label={entry.config?.transport === 'stdio' ? 'Full command' : 'Address'}
          />
        )}
        {Object.keys(named).length > 0 && (
          <NamedValues
            label={entry.config?.transport === 'stdio' ? 'Environment' : 'Headers'}
            values={named}
          />
        )}
        {entry.config?.transport === 'stdio' && entry.config.cwd !== null && (
          <Text size="sm">
            Runs in <PlainText as="span" className="ts-mono" text={entry.config.cwd} />
          </Text>
        )}
        {notes.length > 0 && (
          <ul className={classes.notes}>
            {notes.map((note) => (
              <Foreign key={note} as="li" text={note} limit={400} />
            ))}
          </ul>
        )}
        {entry.secrets.length > 0 && (
          <Checkbox.Group
            label="Secrets"
            description="Kept in the keychain, the encrypted file, or memory, never in the database. Clear what isn’t secret."
            value={entry.secrets.filter((name) => !notSecret.includes(name))}
            onChange={(kept) => onNotSecret(entry.secrets.filter((name) => !kept.includes(name)))}
          >
            <Group gap="md" mt={4}>
              {entry.secrets.map((name) => (
                <Checkbox
                  key={name}
                  value={name}
                  disabled={act === 'leave'}
                  label={<PlainText text={name.slice(name.indexOf('/') + 1)} />}
                />
              ))}
            </Group>
          </Checkbox.Group>
        )}
        {act !== 'leave' &&
          missing.map((variable) => (
            <MissingValue
              key={variable.reference}
              variable={variable}
              value={values[variable.reference] ?? ''}
              onValue={(value) => onValue(variable.reference, value)}
            />
          ))}
        {acts.length > 1 && (
          <Radio.Group
            aria-label={`What to do with ${entry.name}`}
            value={act}
            mt={4}
            onChange={(value) => onAct(acts.find((each) => each === value) ?? 'leave')}
          >
            <Group gap="md">
              {acts.map((each) => (
                <Radio key={each} value={each} label={wordsFor(each, entry)} />
              ))}
            </Group>
          </Radio.Group>
        )}
      </Stack>
    </article>
  );
}

/** The values of an environment or of headers; the core has masked credentials. */
function NamedValues(props: { label: string; values: Readonly<Record<string, string>> }) {
  const { label, values } = props;
  return (
    <dl className={classes.pairs} aria-label={label}>
      {Object.entries(values).map(([name, value]) => (
        <div key={name}>
          <PlainText as="dt" className="ts-mono" text={name} />
          <Foreign as="dd" className="ts-mono" text={value} limit={400} />
        </div>
      ))}
    </dl>
  );
}

function wordsFor(act: EntryAction, entry: ServerImportEntry): string {
  if (act === 'add')
    return entry.registersAs === entry.name ? 'Add' : `Add as “${entry.registersAs ?? ''}”`;
  return act === 'replace' ? `Replace “${entry.replaces ?? ''}”` : 'Skip';
}

interface MissingValueProps {
  variable: ServerImportEntry['variables'][number];
  value: string;
  onValue: (value: string) => void;
}

/**
 * An input gets its value here. A variable of the environment can only be set where the program is
 * started.
 */
function MissingValue({ variable, value, onValue }: MissingValueProps) {
  if (variable.kind === 'environment') {
    return (
      <Text size="sm">
        <PlainText as="span" className="ts-mono" text={variable.reference} /> has no value. Set it
        before you start Touchstone, or the server won't start.
      </Text>
    );
  }
  const Field = variable.password ? PasswordInput : TextInput;
  return (
    <Field
      label={<PlainText as="span" className="ts-mono" text={variable.reference} />}
      aria-label={`Value of ${variable.reference}`}
      description={
        variable.description ?? 'Required before the server can start. You can set it later.'
      }
      {...typed(value, onValue)}
      autoComplete="off"
    />
  );
}
