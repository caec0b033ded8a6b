import { Button, MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Comparison } from '../../../../src-shared/domain/comparison.ts';
import { describeChange } from '../../../../src-shared/display/whatIfTexts.ts';
import { useApi } from '../../../api/index.ts';
import { ShownExport } from '../../../saving/ExportMenu.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { formatCount } from '../../../ui/estimate/format.ts';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { counted } from '../../../ui/text/words.ts';
import { WithPanel } from '../../../ui/panels/SidePanel.tsx';
import classes from './compare.module.css';
import { BothSides } from './BothSides.tsx';
import { CaseLists } from './CaseLists.tsx';
import {
  caseLists,
  readCompare,
  writeCompare,
  writeSide,
  type CompareAddress,
} from './compareAddress.ts';
import { PassRateChart, type NamedRate } from '../PassRateChart.tsx';
import { evaluationLink } from '../links.ts';
import { useSides } from './useSides.ts';
import { Verdict } from './Verdict.tsx';

type Side = CompareAddress['candidates'][number];

function hasSides(
  { baseline, candidates }: Comparison,
  base: Side | null,
  others: readonly Side[],
): boolean {
  const sides = [base, ...others];
  const is = (side: { evaluationId: string; modelSettingsId: string }, at: number): boolean =>
    side.evaluationId === sides[at]?.id &&
    [null, side.modelSettingsId].includes(sides[at].modelSettingsId);
  return sides.length === candidates.length + 1 && [baseline, ...candidates].every(is);
}

/** A baseline and one or more candidates, case by case. */
export function ComparePage() {
  const [params, setParams] = useSearchParams();
  const address = useMemo(() => readCompare(params), [params]);
  const { queries } = useApi();
  const change = useCallback(
    (part: Partial<CompareAddress>) => {
      setParams((before) => writeCompare({ ...readCompare(before), ...part }), { replace: true });
    },
    [setParams],
  );
  const { base, candidates } = address;
  const { groups, ofCases, evaluations, error } = useSides(base?.id ?? null);
  const running = evaluations.filter(
    (one) => !one.hasEnded && [base, ...candidates].some((side) => side?.id === one.id),
  );
  const chosenUnit = evaluations.find(({ id }) => id === (base ?? candidates[0])?.id)?.unit;
  const unit = chosenUnit ?? 'case';
  // A task succeeds as a whole, whatever was chosen for cases before.
  const passedWhen = unit === 'task' ? null : address.passedWhen;
  const allGroups = Object.values(groups).filter(({ items }) => items.length > 0);
  const chosen = base !== null && candidates.length > 0;
  const comparison = useQuery(
    queries.results.compare.queryOptions({
      input: {
        baseline: base ?? { id: '', modelSettingsId: null },
        candidates: [...candidates],
        passedWhen,
      },
      enabled: chosen && running.length === 0 && evaluations.length > 0,
      placeholderData: keepPreviousData,
      retry: false,
    }),
  );
  // While another counting rule loads, the previous numbers may stay visible. Those of another pair
  // may not.
  const isOther = comparison.isPlaceholderData && !hasSides(comparison.data, base, candidates);
  const unitOf = (side: Side | null) => evaluations.find(({ id }) => id === side?.id)?.unit;
  const pick = (value: string): { id: string; modelSettingsId: string | null } => {
    const [id = '', model] = value.split('/');
    return { id, modelSettingsId: model ?? null };
  };
  const baseNumber = comparison.data?.baseline.number;
  const first = ofCases.find(({ id }) => id === candidates[0]?.id);
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Results', to: '/results' }, { label: 'Compare' }]}
        title="Compare"
        actions={
          <ShownExport
            subject="comparison"
            name={baseNumber === undefined ? '' : String(baseNumber)}
            shown={
              comparison.data && !comparison.isPlaceholderData && base !== null && chosen
                ? { subject: 'comparison', baseline: base, candidates: [...candidates], passedWhen }
                : null
            }
          />
        }
        subtitle="What broke, what was fixed, and whether the difference is more than chance."
      />
      <div className={classes.choices}>
        <Select
          label="Baseline"
          data={allGroups}
          searchable
          w={360}
          value={base === null ? null : writeSide(base)}
          onChange={(value) => {
            const next = value === null ? null : pick(value);
            const isOtherKind = unitOf(next) !== unitOf(base ?? candidates[0] ?? null);
            change({
              base: next,
              open: null,
              // Cases and tasks are never compared with each other.
              ...(next !== null && isOtherKind && { candidates: [], shown: 0, list: null }),
            });
          }}
        />
        <MultiSelect
          label="Compared with"
          data={base === null ? allGroups : groups[unit].items}
          searchable
          miw={360}
          maxValues={20}
          value={candidates.map(writeSide)}
          onChange={(values) => {
            change({ candidates: values.map(pick), shown: 0, open: null });
          }}
        />
        {unit === 'case' && (
          <div>
            <span className={classes.label} id="right-when">
              Compare
            </span>
            <SegmentedControl
              aria-labelledby="right-when"
              size="xs"
              data={[
                { value: 'selection_and_parameters', label: 'Pass rate' },
                { value: 'selection', label: 'Tools only' },
              ]}
              value={passedWhen ?? comparison.data?.passedWhen ?? 'selection_and_parameters'}
              onChange={(value) => {
                change({
                  passedWhen: value === 'selection' ? 'selection' : 'selection_and_parameters',
                });
              }}
            />
          </div>
        )}
      </div>
      {error !== null && <ErrorNotice error={error} />}
      {running.map(({ id, number, done, total }) => (
        <Notice key={id} tone="neutral">
          <Link to={evaluationLink(id)}>#{number}</Link> is still running ({formatCount(done)} of{' '}
          {counted(total, 'run')}). The comparison appears when it ends.
        </Notice>
      ))}
      {first?.settings.whatIf != null && first.settings.whatIf.changes.length > 0 && (
        <p className={classes.differences}>
          What if:{' '}
          <PlainText text={first.settings.whatIf.changes.map(describeChange).join(' · ')} />
        </p>
      )}
      {!chosen && (
        <EmptyState
          message={
            evaluations.length < 2
              ? 'A comparison needs two evaluations, such as before and after a fix.'
              : 'Choose a baseline, and an evaluation to compare with it.'
          }
          {...(evaluations.length < 2
            ? {
                action: (
                  <Button component={Link} to="/results/new">
                    New evaluation
                  </Button>
                ),
              }
            : {})}
        />
      )}
      {chosen && running.length === 0 && (
        <Loaded
          query={{
            data: isOther ? undefined : comparison.data,
            error: comparison.error,
            refetch: comparison.refetch,
          }}
          blocks={[120, 320]}
          label="Comparing"
        >
          {(data) => {
            const one = data.candidates[Math.min(address.shown, data.candidates.length - 1)];
            if (one === undefined) return null;
            const row = caseLists
              .flatMap((list) => one[list])
              .find(({ caseKey }) => caseKey === address.open);
            return (
              <>
                <div className={classes.verdicts}>
                  {data.candidates.map((candidate, at) => (
                    <Verdict
                      key={`${candidate.evaluationId} ${candidate.modelSettingsId}`}
                      comparison={data}
                      one={candidate}
                      pressed={candidate === one}
                      onPress={() => {
                        change({ shown: at, list: null, open: null });
                      }}
                    />
                  ))}
                </div>
                <PassRateChart
                  rates={comparedRates(data)}
                  unit={`shared ${data.baseline.unit}s`}
                  rateName={data.baseline.unit === 'task' ? 'Success rate' : 'Pass rate'}
                />
                <WithPanel
                  panel={
                    row && (
                      <BothSides
                        comparison={data}
                        one={one}
                        row={row}
                        onClose={() => {
                          change({ open: null });
                        }}
                      />
                    )
                  }
                >
                  <CaseLists
                    key={`${one.evaluationId} ${one.modelSettingsId}`}
                    one={one}
                    address={address}
                    onChange={change}
                  />
                </WithPanel>
              </>
            );
          }}
        </Loaded>
      )}
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
  // Two sides are one test. Of several, candidates were tested against the baseline, not each other.
  const [only, ...others] = candidates;
  return only === undefined || others.length > 0
    ? rates
    : rates.map((rate) => ({ ...rate, vsBest: only.answer }));
}
