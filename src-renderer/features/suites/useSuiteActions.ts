import { useNavigate } from 'react-router';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { useOfferUndo } from '../../saving/useOfferUndo.ts';
import { showUndo, useAct } from '../../ui/notices/notices.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import type { CaseChange } from './BulkEdit.tsx';
import type { RowIds } from './SuiteTable.tsx';

/** Acts on cases and on tasks, which are different things to the core. */
async function apart(
  rows: RowIds,
  act: (unit: EvaluationUnit, ids: string[]) => Promise<void>,
): Promise<void> {
  for (const [unit, own] of Map.groupBy(rows, (row) => row.unit))
    await act(
      unit,
      own.map(({ id }) => id),
    );
}

/** Actions on a suite that need no form. Each reports its failure, and deletions can be undone. */
export function useSuiteActions() {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const offerUndo = useOfferUndo();
  const refresh = (): Promise<void> => reread(queries.suites);
  const removeRows = (unit: EvaluationUnit, ids: string[]) =>
    client.suites[unit === 'case' ? 'removeCases' : 'removeTasks']({ ids });
  return {
    /** Cases and tasks are removed apart, each with its own undo. */
    remove: useAct((rows: RowIds) =>
      apart(rows, async (unit, ids) => {
        const { token } = await removeRows(unit, ids);
        await refresh();
        offerUndo(`Deleted ${counted(ids.length, unit)}.`, token);
      }),
    ).mutate,
    duplicate: useAct((rows: RowIds) =>
      apart(rows, async (unit, ids) => {
        const copies =
          unit === 'case'
            ? await client.suites.duplicateCases({ ids })
            : await client.suites.duplicateTasks({ ids });
        await refresh();
        showUndo(`Duplicated ${counted(copies.length, unit)}.`, async () => {
          await removeRows(
            unit,
            copies.map(({ id }) => id),
          );
          await reread();
        });
      }),
    ).mutate,
    removeSuite: useAct(({ id }: Suite) => client.suites.remove({ id }), {
      onSuccess: async ({ token }, suite) => {
        await refresh();
        const { name } = suite;
        offerUndo(`Deleted suite “${name}” with ${suiteSize(suite)}. Its evaluations stay.`, token);
        await navigate('/suites');
      },
    }).mutate,
    editCases: useAct(
      ({ ids, change }: { ids: string[]; change: CaseChange }) =>
        client.suites.editCases({ ids, ...change }),
      {
        onSuccess: async ({ token }, { ids }) => {
          await refresh();
          offerUndo(`Changed ${counted(ids.length, 'case')}.`, token);
        },
      },
    ).mutate,
  };
}
