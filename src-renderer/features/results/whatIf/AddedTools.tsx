import { Action } from '../../../ui/fields/Action.tsx';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { useMutation } from '@tanstack/react-query';
import { IconFileUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { RejectedTool } from '../../../../src-shared/domain/tool.ts';
import { useApi } from '../../../api/index.ts';
import { ChooseFile } from '../../../ui/files/ChooseFile.tsx';
import { readText } from '../../../ui/files/readText.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import classes from '../evaluations.module.css';
import { type AddedTool, joinAdded } from './whatIfForm.ts';

const maxShown = 60;

interface AddedToolsProps {
  added: readonly AddedTool[];
  /** IDs that are offered without the added tools. */
  offered: ReadonlySet<string>;
  onChange: (added: AddedTool[]) => void;
}

/** Tools from a file, offered in addition to those of the evaluation. */
export function AddedTools({ added, offered, onChange }: AddedToolsProps) {
  const { client } = useApi();
  const [rejected, setRejected] = useState<readonly RejectedTool[]>([]);
  const read = useMutation({
    mutationFn: async (file: File) =>
      client.evaluations.readTools({ fileName: file.name, text: await readText(file) }),
    onSuccess: (found) => {
      setRejected(found.rejected);
      onChange(joinAdded(added, found.tools));
    },
  });
  return (
    <Section
      title={
        added.length === 0
          ? 'Tools from a file'
          : `Tools from a file (${formatCount(added.length)})`
      }
      aside={
        <ChooseFile accept=".json,application/json" onFiles={([file]) => read.mutate(file)}>
          {(props) => (
            <Action
              label="Add tools from a file"
              {...props}
              small
              icon={IconFileUpload}
              loading={read.isPending}
            />
          )}
        </ChooseFile>
      }
    >
      {added.length === 0 && (
        <p className="ts-quiet">
          Offers tools that no server has yet. The file is JSON: a tools/list result, a corpus, or{' '}
          {'{"tools": […]}'} with the server, name, and description of each tool.
        </p>
      )}
      {read.error !== null && <ErrorNotice error={read.error} />}
      {rejected.length > 0 && (
        <Notice tone="warning">{`Not read: ${rejected
          .slice(0, 5)
          .map(({ name, reason }) => `${name}: ${reason}`)
          .join(
            ' ',
          )}${rejected.length > 5 ? ` And ${formatCount(rejected.length - 5)} more.` : ''}`}</Notice>
      )}
      <ul className={classes.toolList}>
        {added.slice(0, maxShown).map((one) => {
          const id = toolId(one.tool.server, one.tool.name);
          return (
            <li key={id} className={classes.addedTool}>
              <span className="ts-mono ts-foreign">
                <PlainText text={id} />
              </span>
              {offered.has(id) && (
                <StatusBadge tone="bad" label="Already offered. Leave out the other one first." />
              )}
              <Action
                label="Leave out"
                size="compact-xs"
                ml="auto"
                style={{ flexShrink: 0 }}
                aria-label={`Leave out ${id}`}
                onClick={() => onChange(added.filter((other) => other !== one))}
              />
            </li>
          );
        })}
      </ul>
      {added.length > maxShown && (
        <p className="ts-hint">{counted(added.length - maxShown, 'more tool')}.</p>
      )}
    </Section>
  );
}
