import { ActionIcon, TextInput } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { Action } from '../../../ui/fields/controls.tsx';
import { candidateStateTexts } from '../../../../src-shared/display/candidateTexts.ts';
import { counted, formatCount, formatPValue } from '../../../../src-shared/display/numbers.ts';
import { candidateAddress } from '../../../../src-shared/display/toolAddresses.ts';
import type { Candidate, CandidateState } from '../../../../src-shared/domain/candidate.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { StatusBadge, type StatusTone } from '../../../ui/badges/StatusBadge.tsx';
import { showUndo, useAct } from '../../../ui/notices/notices.tsx';
import { Fold, Section } from '../../../ui/panels/panels.tsx';
import { PlainTable } from '../../../ui/table/PlainTable.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import classes from './fix.module.css';
import { isRunning } from './useFix.ts';

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
  const list = useRead((ask) => ask.candidates.list, {
    input: { toolId },
    refetchInterval: (query) => (query.state.data?.some(isRunning) === true ? pollMs : false),
  });
  const putAway = useRead((ask) => ask.candidates.list, { input: { toolId, putAway: true } });
  const restore = useAct((id: string) => client.candidates.restore({ id }), { onSettled: refresh });
  const rename = useAct((to: { id: string; name: string }) => client.candidates.rename(to), {
    onSettled: refresh,
  });
  const remove = useAct(({ id }: Candidate) => client.candidates.remove({ id }), {
    onSuccess: async (_, { id, name }) => {
      if (id === openId) onGone?.();
      showUndo(`${name} put away.`, async () => {
        await client.candidates.restore({ id });
        await refresh();
      });
      await refresh();
    },
  });
  const shown = (list.data ?? []).filter(({ id }) => id !== exceptId);
  const away = putAway.data ?? [];
  const cellsOf = (one: Candidate) => [
    <TextInput
      key={one.name}
      size="xs"
      aria-label={`Name of ${one.name}`}
      defaultValue={one.name}
      maxLength={200}
      onBlur={(event) => {
        const name = event.currentTarget.value.trim();
        if (name !== '' && name !== one.name) rename.mutate({ id: one.id, name });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />,
    <StatusBadge tone={stateTones[one.now]} label={candidateStateTexts[one.now]} />,
    flipsText(one.search),
    proofText(one),
    one.baseNumber === null ? (
      'no result'
    ) : (
      <>
        {one.unit === 'task' ? 'tasks #' : '#'}
        {one.baseNumber} · <Foreign text={one.modelName ?? ''} />
      </>
    ),
    sources[one.source],
    <span className={classes.rowActions}>
      {one.id !== openId && (
        <Action
          label="Open"
          to={candidateAddress(one)}
          replace={onGone !== undefined}
          small
          aria-label={`Open ${one.name}`}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Put ${one.name} away`}
        disabled={isRunning(one)}
        loading={remove.isPending && remove.variables.id === one.id}
        onClick={() => remove.mutate(one)}
      >
        <IconArchive size={16} aria-hidden />
      </ActionIcon>
    </span>,
  ];
  if (shown.length === 0 && away.length === 0) return null;
  return (
    <Section title="Candidates">
      {shown.length > 0 && (
        <PlainTable
          label="Candidates"
          heads={[
            ...['Name', 'State', 'Estimate', 'Proof', 'Tried on', 'Written'],
            <span key="" className="ts-visually-hidden">
              Actions
            </span>,
          ]}
          rows={shown.map((one) => ({
            key: one.id,
            current: one.id === openId,
            cells: cellsOf(one),
          }))}
        />
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
