import { ActionIcon, Table, TextInput } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { Action } from '../../../ui/fields/Action.tsx';
import { candidateStateTexts } from '../../../../src-shared/display/candidateTexts.ts';
import { counted, formatCount, formatPValue } from '../../../../src-shared/display/numbers.ts';
import { candidateAddress } from '../../../../src-shared/display/toolAddresses.ts';
import type { Candidate, CandidateState } from '../../../../src-shared/domain/candidate.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import { showUndo } from '../../../ui/notices/UndoNotice.tsx';
import { Fold } from '../../../ui/panels/Fold.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import classes from './fix.module.css';
import { isRunning } from './useFix.ts';
import { useAct } from '../../../ui/notices/useAct.ts';

/** How often running estimates and proofs are looked after. */
const pollMs = 500;

interface CandidatesProps {
  toolId: string;
  /** The one that is open in the editor. */
  openId?: string | null;
  /** Called when the open one was deleted. */
  onGone?: () => void;
  /** Left out of the list, because it is shown elsewhere. */
  exceptId?: string | null;
}

/** Every candidate of a tool, whatever result it was tried on, with its state. */
export function Candidates({ toolId, openId = null, onGone, exceptId = null }: CandidatesProps) {
  const { client, queries, reread } = useApi();
  const refresh = (): Promise<void> => reread(queries.candidates);
  const list = useRead(queries.candidates.list, {
    input: { toolId },
    refetchInterval: (query) => (query.state.data?.some(isRunning) === true ? pollMs : false),
  });
  const putAway = useRead(queries.candidates.list, { input: { toolId, putAway: true } });
  const restore = useAct((id: string) => client.candidates.restore({ id }), { onSettled: refresh });
  const shown = (list.data ?? []).filter(({ id }) => id !== exceptId);
  const away = putAway.data ?? [];
  if (shown.length === 0 && away.length === 0) return null;
  return (
    <Section title="Candidates">
      {shown.length > 0 && (
        <div className={classes.scroll}>
          <Table aria-label="Candidates">
            <Table.Thead>
              <Table.Tr>
                {['Name', 'State', 'Estimate', 'Proof', 'Tried on', 'Written'].map((title) => (
                  <Table.Th key={title}>{title}</Table.Th>
                ))}
                <Table.Th>
                  <span className="ts-visually-hidden">Actions</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((one) => (
                <Row
                  key={one.id}
                  candidate={one}
                  isOpen={one.id === openId}
                  refresh={refresh}
                  {...(onGone !== undefined && { onGone })}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {away.length > 0 && (
        <Fold title={`${counted(away.length, 'candidate')} put away`}>
          <ul className={classes.rows}>
            {away.map(({ id, name }) => (
              <li key={id}>
                <Foreign text={name} />
                <Action
                  label="Restore"
                  small
                  aria-label={`Restore ${name}`}
                  onClick={() => restore.mutate(id)}
                />
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </Section>
  );
}

function Row(props: {
  candidate: Candidate;
  isOpen: boolean;
  refresh: () => Promise<void>;
  onGone?: () => void;
}) {
  const { candidate, isOpen, refresh, onGone } = props;
  const { client } = useApi();
  const { id, name } = candidate;
  const rename = useAct((changed: string) => client.candidates.rename({ id, name: changed }), {
    onSettled: refresh,
  });
  const remove = useAct(() => client.candidates.remove({ id }), {
    onSuccess: async () => {
      if (isOpen) onGone?.();
      showUndo(`${name} put away.`, async () => {
        await client.candidates.restore({ id });
        await refresh();
      });
      await refresh();
    },
  });
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
        <StatusBadge tone={stateTones[candidate.now]} label={candidateStateTexts[candidate.now]} />
      </Table.Td>
      <Table.Td>{flipsText(candidate.search)}</Table.Td>
      <Table.Td>{proofText(candidate)}</Table.Td>
      <Table.Td>
        {candidate.baseNumber === null ? (
          'no result'
        ) : (
          <>
            {candidate.unit === 'task' ? 'tasks #' : '#'}
            {candidate.baseNumber} · <Foreign text={candidate.modelName ?? ''} />
          </>
        )}
      </Table.Td>
      <Table.Td>{sources[candidate.source]}</Table.Td>
      <Table.Td className={classes.rowActions}>
        {!isOpen && (
          <Action
            label="Open"
            to={candidateAddress(candidate)}
            replace={onGone !== undefined}
            small
            aria-label={`Open ${name}`}
          />
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Put ${name} away`}
          disabled={isRunning(candidate)}
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          <IconArchive size={16} aria-hidden />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
}

const stateTones: Record<CandidateState, StatusTone> = {
  draft: 'idle',
  searching: 'busy',
  searched: 'idle',
  proving: 'busy',
  accepted: 'good',
  rejected: 'bad',
  cannot_tell: 'warning',
  applied: 'good',
  out_of_date: 'stopped',
};

const sources: Record<Candidate['source'], string> = {
  hand: 'by hand',
  rule: 'from advice',
  model: 'by a model',
};

/** Fixed and broken cases of a half: `3 fixed, 1 broken of 30`; a dash if it wasn’t tried. */
function flipsText(result: { won: number; lost: number; cases: number } | null): string {
  return result === null
    ? '–'
    : `${formatCount(result.won)} fixed, ${formatCount(result.lost)} broken of ${formatCount(result.cases)}`;
}

const proofText = ({ proof }: Candidate): string =>
  proof === null ? '–' : `${flipsText(proof)}, p = ${formatPValue(proof.pValue)}`;
