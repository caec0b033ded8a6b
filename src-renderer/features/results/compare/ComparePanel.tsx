import { MultiSelect, SegmentedControl, Select, Box } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Action, options } from '../../../ui/fields/controls.tsx';
import { describeChange } from '../../../../src-shared/display/whatIfTexts.ts';
import type {
  Comparison,
  ComparisonSide,
  PresentedSide,
} from '../../../../src-shared/domain/comparison.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useRead } from '../../../api/index.ts';
import { ShownExport } from '../../../saving/ExportMenu.tsx';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import { ErrorNotice, Loaded, Notice } from '../../../ui/notices/notices.tsx';
import { WithPanel } from '../../../ui/panels/panels.tsx';
import { PlainText, visibleText } from '../../../ui/text/Foreign.tsx';
import { evaluationLink } from '../links.ts';
import type { Listed } from '../list/listed.ts';
import { modelChoices } from '../modelNames.ts';
import { PassRateChart, type NamedRate } from '../PassRateChart.tsx';
import { BothSides } from './BothSides.tsx';
import { CaseLists } from './CaseLists.tsx';
import classes from './compare.module.css';
import {
  caseLists,
  comparisonWith,
  maxOthers,
  plainComparison,
  readSide,
  writeSide,
  type CompareAddress,
} from './compareAddress.ts';
import { comparedModels } from './comparedModels.ts';
import { useSides } from './useSides.ts';
import { Verdict } from './Verdict.tsx';
import { clientName } from '../../../../src-shared/display/clientTexts.ts';
import { EstimateText } from '../../../ui/estimate/EstimateTile.tsx';
import { column, DataTable, numberColumn, textColumn } from '../../../ui/table/DataTable.tsx';

const wide = 'minmax(150px, 2fr)';
const columns = [
  textColumn<PresentedSide>('client', 'Client', wide, ({ client }) => clientName(client)),
  textColumn<PresentedSide>('result', 'Result', wide, (side) => `#${side.number} ${side.model}`),
  column<PresentedSide>('passed', 'Passed', wide, {}, ({ passed }) => (
    <>
      <EstimateText estimate={passed} percent /> <small>n {formatCount(passed.n)}</small>
    </>
  )),
  numberColumn<PresentedSide>('hidden', 'Tools hidden', '110px', ({ hidden }) => hidden),
  numberColumn<PresentedSide>('cut', 'Descriptions cut', '140px', ({ cut }) => cut),
];

/** The rates of results that differ in how tools are presented, and what clients hide and cut. */
const ByClient = ({ sides }: { sides: readonly PresentedSide[] }) => (
  <Box mb="md">
    <DataTable
      label="By client"
      columns={columns}
      rows={sides}
      rowKey={({ client, number, model }) => `${client} ${number} ${model}`}
    />
  </Box>
);

interface ComparePanelProps {
  /** The result that is shown. */
  one: Listed;
  address: CompareAddress;
  /** The model to compare where the result has several and none is chosen. */
  preset: string | null;
  /** Null closes the comparison. */
  onChange: (address: CompareAddress | null) => void;
}

interface Compared extends Omit<ComparePanelProps, 'address'> {
  /** Null: the comparison is closed. */
  address: CompareAddress | null;
  /** What it is compared with first. */
  baseId: string | null;
}

/** What opens the comparison of a result, and the comparison; neither while it runs and is closed. */
export function comparisonOf({ address, baseId, ...panel }: Compared) {
  const isOpen = address !== null;
  const onToggle = (): void => panel.onChange(isOpen ? null : comparisonWith(baseId));
  return {
    chip: isOpen || hasEnded(panel.one.evaluation.state) ? { isOpen, onToggle } : null,
    comparison: isOpen && <ComparePanel {...panel} address={address} />,
  };
}

/** A result beside an earlier one, and beside further ones, case by case or task by task. */
function ComparePanel({ one, address, preset, onChange }: ComparePanelProps) {
  const { unit, evaluation } = one;
  const { choices, results, isLoaded, error } = useSides(one);
  const change = (part: Partial<CompareAddress>): void => onChange({ ...address, ...part });
  const base = results.find(({ id }) => id === address.base?.id) ?? null;
  // Beside a model of the same result stands another one.
  const another =
    base?.id === evaluation.id
      ? [preset, ...evaluation.models.map(({ id }) => id)].find(
          (id) => id !== null && id !== address.base?.modelSettingsId,
        )
      : null;
  const models = comparedModels(
    { models: evaluation.models, model: address.own ?? another ?? null },
    { models: base?.models ?? [], model: address.base?.modelSettingsId ?? null },
    preset,
  );
  // One that isn't listed is compared as the address names it.
  const baseline =
    address.base &&
    (base === null ? address.base : { ...address.base, modelSettingsId: models.base });
  const candidates = [{ id: evaluation.id, modelSettingsId: models.own }, ...address.others];
  // A task succeeds as a whole, whatever was chosen for cases before.
  const passedWhen = unit === 'task' ? null : address.passedWhen;
  const running = results.filter(
    (side) => !side.hasEnded && [baseline, ...address.others].some((each) => each?.id === side.id),
  );
  const ended = hasEnded(evaluation.state) && running.length === 0;
  const comparison = useRead((ask) => ask.results.compare, {
    input: { baseline: baseline ?? { id: '', modelSettingsId: null }, candidates, passedWhen },
    enabled: baseline !== null && ended && isLoaded,
    placeholderData: keepPreviousData,
    retry: false,
  });
  // While another counting rule loads, the previous numbers may stay visible. Those of another pair
  // may not.
  const isOther = comparison.isPlaceholderData && !hasSides(comparison.data, baseline, candidates);
  const { whatIf } = evaluation.settings;
  return (
    <section className={classes.comparison} aria-label="Comparison">
      <div className={classes.choices}>
        <b>#{evaluation.number} compared with</b>
        <Select
          aria-label="Compared with"
          placeholder={choices.length === 0 ? 'No other result' : 'Choose a result'}
          size="xs"
          w={250}
          data={choices.map(shownChoice)}
          searchable
          value={baseline === null ? null : writeSide(baseline)}
          onChange={(value) =>
            onChange({ ...plainComparison, ...kept(address), base: readSide(value) })
          }
        />
        {evaluation.models.length > 1 && (
          <Select
            aria-label="Compared model"
            size="xs"
            w={170}
            data={modelChoices(evaluation.models)}
            value={models.own}
            onChange={(own) => change({ own, shown: 0, open: null })}
          />
        )}
        <MultiSelect
          aria-label="Also compared"
          placeholder={address.others.length === 0 ? 'Add another result' : ''}
          size="xs"
          miw={170}
          searchable
          maxValues={maxOthers}
          data={choices.map(shownChoice)}
          value={address.others.map(writeSide)}
          onChange={(values) =>
            change({ others: values.flatMap((each) => readSide(each) ?? []), shown: 0, open: null })
          }
        />
        {unit === 'case' && (
          <SegmentedControl
            aria-label="What counts as passed"
            data={options({ selection_and_parameters: 'Pass rate', selection: 'Tools only' })}
            value={passedWhen ?? comparison.data?.passedWhen ?? 'selection_and_parameters'}
            onChange={(chosen) => change({ passedWhen: chosen })}
          />
        )}
        <span className={classes.ends}>
          {baseline !== null && (
            <ShownExport
              subject="comparison"
              name={String(comparison.data?.baseline.number ?? '')}
              shown={
                comparison.data && !comparison.isPlaceholderData
                  ? { subject: 'comparison', baseline, candidates, passedWhen }
                  : null
              }
            />
          )}
          <Action
            label="Close"
            variant="subtle"
            small
            icon={IconX}
            onClick={() => onChange(null)}
          />
        </span>
      </div>
      <ErrorNotice error={error} />
      {!hasEnded(evaluation.state) && (
        <p className={classes.differences}>The comparison appears when the evaluation ends.</p>
      )}
      {running.map(({ id, number, done, total }) => (
        <Notice key={id} tone="neutral">
          <Link to={evaluationLink(id)}>#{number}</Link> is still running ({formatCount(done)} of{' '}
          {counted(total, 'run')}). The comparison appears when it ends.
        </Notice>
      ))}
      {whatIf !== null && whatIf.changes.length > 0 && (
        <p className={classes.differences}>
          Estimate: <PlainText text={whatIf.changes.map(describeChange).join(' · ')} />
        </p>
      )}
      {baseline === null && (
        <p className={classes.differences}>
          {isLoaded && choices.length === 0
            ? 'A comparison needs two results, such as before and after a fix.'
            : 'Choose the result to compare with.'}
        </p>
      )}
      {baseline !== null && ended && (
        <Loaded
          query={{
            data: isOther ? undefined : comparison.data,
            error: comparison.error,
            refetch: comparison.refetch,
          }}
          blocks={[120, 320]}
          label="Comparing"
        >
          {(data) => <Compared data={data} address={address} onChange={change} />}
        </Loaded>
      )}
    </section>
  );
}

const shownChoice = ({ value, label }: { value: string; label: string }) => ({
  value,
  label: visibleText(label),
});

/** What stays when another baseline is chosen. */
const kept = ({ own, others, passedWhen }: CompareAddress): Partial<CompareAddress> => ({
  own,
  others,
  passedWhen,
});

function hasSides(
  { baseline, candidates }: Comparison,
  base: ComparisonSide | null,
  others: readonly ComparisonSide[],
): boolean {
  const sides = [base, ...others];
  const is = (side: { evaluationId: string; modelSettingsId: string }, at: number): boolean =>
    side.evaluationId === sides[at]?.id &&
    [null, side.modelSettingsId].includes(sides[at].modelSettingsId);
  return sides.length === candidates.length + 1 && [baseline, ...candidates].every(is);
}

interface ComparedProps {
  data: Comparison;
  address: CompareAddress;
  onChange: (part: Partial<CompareAddress>) => void;
}

/** The verdict on each side, and the cases of the shown one. */
function Compared({ data, address, onChange }: ComparedProps) {
  const one = data.candidates[Math.min(address.shown, data.candidates.length - 1)];
  if (one === undefined) return null;
  const row = caseLists
    .flatMap((list) => one[list])
    .find(({ caseKey }) => caseKey === address.open);
  const several = data.candidates.length > 1;
  return (
    <>
      {data.clients !== undefined && <ByClient sides={data.clients} />}
      <div className={several ? undefined : classes.pair}>
        <div>
          <div className={classes.verdicts}>
            {data.candidates.map((candidate, at) => (
              <Verdict
                key={`${candidate.evaluationId} ${candidate.modelSettingsId}`}
                comparison={data}
                one={candidate}
                pressed={candidate === one}
                onPress={() => onChange({ shown: at, list: null, open: null })}
              />
            ))}
          </div>
          {several && (
            <PassRateChart
              rates={comparedRates(data)}
              unit={`shared ${data.baseline.unit}s`}
              rateName={data.baseline.unit === 'task' ? 'Success rate' : 'Pass rate'}
            />
          )}
        </div>
        <WithPanel
          panel={
            row && (
              <BothSides
                comparison={data}
                one={one}
                row={row}
                onClose={() => onChange({ open: null })}
              />
            )
          }
        >
          <CaseLists
            key={`${one.evaluationId} ${one.modelSettingsId}`}
            one={one}
            address={address}
            onChange={onChange}
          />
        </WithPanel>
      </div>
    </>
  );
}

/**
 * The rates of all sides. The baseline's rate covers the cases that it shares with a candidate, so
 * it is listed again where candidates share other cases with it.
 */
function comparedRates({ baseline, candidates }: Comparison): NamedRate[] {
  const rates: NamedRate[] = [];
  const seen = new Set<string>();
  for (const one of candidates) {
    const key = `${one.baselineRight.value} ${one.baselineRight.n}`;
    const again = seen.size > 0 ? `, shared with #${one.number}` : '';
    if (!seen.has(key))
      rates.push({
        name: `#${baseline.number} ${baseline.model}${again}`,
        rate: one.baselineRight,
      });
    seen.add(key);
    rates.push({ name: `#${one.number} ${one.model}`, rate: one.candidateRight });
  }
  // Candidates were tested against the baseline, not each other.
  return rates;
}
