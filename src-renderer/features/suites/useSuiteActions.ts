import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { showFailure, showUndo } from '../../ui/notices/UndoNotice.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import type { CaseChange } from './BulkEdit.tsx';
import type { RowIds } from './SuiteTable.tsx';

/** Actions on a suite that need no form. Each reports its failure, and deletions can be undone. */
export function useSuiteActions() {
  const { client, queries, reread } = useApi();
  const refresh = (): Promise<void> => reread(queries.suites);

  const offerUndo = (message: string, token: string): void =>
    showUndo(message, async () => {
      await client.settings.undo({ token });
      await reread();
    });

  const apart = async (
    rows: RowIds,
    act: (unit: EvaluationUnit, ids: string[]) => Promise<void>,
  ): Promise<void> => {
    try {
      for (const [unit, own] of Map.groupBy(rows, (row) => row.unit))
        await act(
          unit,
          own.map(({ id }) => id),
        );
    } catch (error) {
      showFailure(error);
    }
  };

  return {
    /** Cases and tasks are removed apart, each with its own undo. */
    remove: (rows: RowIds) =>
      apart(rows, async (unit, ids) => {
        const { token } = await client.suites[unit === 'case' ? 'removeCases' : 'removeTasks']({
          ids,
        });
        await refresh();
        offerUndo(`Deleted ${counted(ids.length, unit)}.`, token);
      }),
    duplicate: (rows: RowIds) =>
      apart(rows, async (unit, ids) => {
        const copies =
          unit === 'case'
            ? await client.suites.duplicateCases({ ids })
            : await client.suites.duplicateTasks({ ids });
        await refresh();
        showUndo(`Duplicated ${counted(copies.length, unit)}.`, async () => {
          const made = { ids: copies.map(({ id }) => id) };
          await client.suites[unit === 'case' ? 'removeCases' : 'removeTasks'](made);
          await reread();
        });
      }),
    /** True if the suite was removed. */
    async removeSuite(suite: Suite): Promise<boolean> {
      try {
        const { token } = await client.suites.remove({ id: suite.id });
        await refresh();
        offerUndo(
          `Deleted suite “${suite.name}” with ${suiteSize(suite)}. Its ` + 'evaluations stay.',
          token,
        );
        return true;
      } catch (error) {
        showFailure(error);
        return false;
      }
    },
    async editCases(ids: string[], change: CaseChange): Promise<void> {
      try {
        const { token } = await client.suites.editCases({ ids, ...change });
        await refresh();
        offerUndo(`Changed ${counted(ids.length, 'case')}.`, token);
      } catch (error) {
        showFailure(error);
      }
    },
  };
}
