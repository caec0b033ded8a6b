import type { AskedAgain } from '../../../../src-shared/domain/askedAgain.ts';

interface AgainColumn {
  name: string;
  title: string;
  value: (run: { caseKey: string; modelSettingsId: string }) => number;
}

/**
 * Columns of CSV for what a check asked again: the further repetitions of the case or task by the
 * model of the row, and how many of them passed. None where a check asks nothing again.
 */
export function againColumns(askedAgain: AskedAgain | null): AgainColumn[] {
  if (askedAgain === null) return [];
  const place = ({ caseKey, modelSettingsId }: { caseKey: string; modelSettingsId: string }) =>
    JSON.stringify([caseKey, modelSettingsId]);
  const runs = Map.groupBy(askedAgain.runs, place);
  const of = (run: Parameters<typeof place>[0]) => runs.get(place(run)) ?? [];
  return [
    { name: 'asked_again', title: 'Asked again', value: (run) => of(run).length },
    {
      name: 'passed_again',
      title: 'Passed again',
      value: (run) => of(run).filter(({ passed }) => passed === true).length,
    },
  ];
}
