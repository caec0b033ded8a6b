import { Action } from '../../../ui/fields/controls.tsx';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import {
  type ServerImportPreview,
  serverFileFormats,
} from '../../../../src-shared/domain/serverImport.ts';
import { EmptyState, Notice } from '../../../ui/notices/notices.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { EntryCard } from './EntryCard.tsx';
import { firstChoice, type ImportOrder, orderOf } from './importChoice.ts';
import classes from './import.module.css';

interface ServersReportProps {
  name: string;
  preview: ServerImportPreview;
  writing: boolean;
  onConfirm: (order: ImportOrder) => void;
  onCancel: () => void;
}

/**
 * What an import would register, entry by entry. Nothing is written before the button is pressed,
 * and nothing is started after it.
 */
export function ServersReport({ name, preview, writing, onConfirm, onCancel }: ServersReportProps) {
  const [choice, setChoice] = useState(() => firstChoice(preview));
  const report = useRef<HTMLElement>(null);
  useEffect(() => {
    report.current?.focus();
  }, [preview]);
  const order = orderOf(preview, choice);
  const count = order.names.length + order.replace.length;
  const states = (['new', 'conflict', 'same', 'skipped'] as const).flatMap((state) => {
    const found = preview.entries.filter((entry) => entry.state === state).length;
    return found === 0
      ? []
      : [
          `${formatCount(found)} ` +
            (state === 'same' ? 'already there' : state === 'conflict' ? 'in conflict' : state),
        ];
  });
  return (
    <section ref={report} tabIndex={-1} aria-label="Preview of the import">
      <Stack gap="md">
        <Group justify="space-between">
          <div>
            <Text fw={600} className="ts-foreign">
              <PlainText text={name} />
            </Text>
            <p className="ts-quiet">
              {preview.format === null
                ? 'Not read'
                : `Read as ${serverFileFormats[preview.format]}: ` +
                  `${states.length === 0 ? 'no servers' : states.join(', ')}.`}
            </p>
          </div>
        </Group>
        {preview.problems.length > 0 ? (
          <Notice tone="danger">
            <Text>Fix this before you import:</Text>
            <ul className={classes.notes}>
              {preview.problems.slice(0, 50).map((problem, index) => (
                <li key={index}>
                  Line {problem.line ?? 1}, column {problem.column ?? 1}:{' '}
                  <Foreign text={problem.message} limit={600} />
                </li>
              ))}
            </ul>
          </Notice>
        ) : preview.entries.length === 0 ? (
          <EmptyState message="The file contains no servers." />
        ) : (
          <>
            <div className={classes.entries}>
              {preview.entries.map((entry) => (
                <EntryCard
                  key={entry.name}
                  entry={entry}
                  act={choice.acts[entry.name] ?? 'leave'}
                  values={choice.values[entry.name] ?? {}}
                  notSecret={choice.notSecret[entry.name] ?? []}
                  onNotSecret={(names) =>
                    setChoice((before) => ({
                      ...before,
                      notSecret: { ...before.notSecret, [entry.name]: names },
                    }))
                  }
                  onAct={(act) =>
                    setChoice((before) => ({
                      ...before,
                      acts: { ...before.acts, [entry.name]: act },
                    }))
                  }
                  onValue={(reference, value) =>
                    setChoice((before) => ({
                      ...before,
                      values: {
                        ...before.values,
                        [entry.name]: { ...before.values[entry.name], [reference]: value },
                      },
                    }))
                  }
                />
              ))}
            </div>
            <p className="ts-quiet">
              Importing doesn’t start a server or change the file. Read every command: one without a
              warning can still do harm.
            </p>
          </>
        )}
        <Group className={classes.acts ?? ''}>
          <Action
            label={count === 0 ? 'Import servers' : `Import ${counted(count, 'server')}`}
            filled
            loading={writing}
            disabled={count === 0}
            onClick={() => onConfirm(order)}
          />
          <Action label="Cancel" onClick={onCancel} />
        </Group>
      </Stack>
    </section>
  );
}
