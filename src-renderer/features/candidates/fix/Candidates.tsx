import { ActionIcon, Button, Table, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import { useApi } from '../../../api/index.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { showFailure, showUndo } from '../../../ui/notices/UndoNotice.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { candidateStates, flipsText, proofText, sources } from './candidateTexts.ts';
import classes from './fix.module.css';
import { isRunning, type Fix } from './useFix.ts';

/** Every edit of this tool that was tried, side by side. */
export function Candidates({ fix }: { fix: Fix }) {
  if (fix.candidates.length === 0) return null;
  return (
    <Section title="Candidates">
      <div className={classes.scroll}>
        <Table aria-label="Candidates">
          <Table.Thead>
            <Table.Tr>
              {['Name', 'State', 'Estimate', 'Proof', 'Written'].map((title) => (
                <Table.Th key={title}>{title}</Table.Th>
              ))}
              <Table.Th>
                <span className="ts-visually-hidden">Actions</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fix.candidates.map((one) => (
              <Candidate key={one.id} candidate={one} fix={fix} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}

function Candidate({ candidate, fix }: { candidate: Candidate; fix: Fix }) {
  const { client } = useApi();
  const { id, name } = candidate;
  const rename = useMutation({
    mutationFn: (changed: string) => client.candidates.rename({ id, name: changed }),
    onError: showFailure,
    onSettled: fix.refresh,
  });
  const remove = useMutation({
    mutationFn: () => client.candidates.remove({ id }),
    onError: showFailure,
    onSuccess: async () => {
      if (fix.current?.id === id) fix.discard();
      showUndo(`${name} deleted.`, async () => {
        await client.candidates.restore({ id });
        await fix.refresh();
      });
      await fix.refresh();
    },
  });
  const isOpen = fix.current?.id === id;
  return (
    <Table.Tr {...(isOpen ? { 'aria-current': 'true' as const } : {})}>
      <Table.Td>
        <TextInput
          key={name}
          size="xs"
          aria-label={`Name of ${name}`}
          defaultValue={name}
          maxLength={200}
          onBlur={(event) => {
            const changed = event.currentTarget.value.trim();
            if (changed !== '' && changed !== name) rename.mutate(changed);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
          }}
        />
      </Table.Td>
      <Table.Td>
        <StatusBadge {...candidateStates[candidate.state]} />
      </Table.Td>
      <Table.Td>{flipsText(candidate.search)}</Table.Td>
      <Table.Td>{proofText(candidate)}</Table.Td>
      <Table.Td>{sources[candidate.source]}</Table.Td>
      <Table.Td className={classes.rowActions}>
        <Button
          size="compact-sm"
          variant="default"
          disabled={isOpen}
          aria-label={`Open ${name}`}
          onClick={() => {
            fix.open(id);
          }}
        >
          Open
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Delete ${name}`}
          disabled={isRunning(candidate)}
          loading={remove.isPending}
          onClick={() => {
            remove.mutate();
          }}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
}
