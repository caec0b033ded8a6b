import { useQueryClient } from '@tanstack/react-query';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { showFailure, showUndo } from '../../ui/notices/UndoNotice.tsx';
import { counted } from '../../ui/text/words.ts';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import type { CaseChange } from './BulkEdit.tsx';

/** Actions on a suite that need no form. Each reports its failure, and deletions can be undone. */
export function useSuiteActions() {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: queries.suites.key() });

  const offerUndo = (message: string, token: string): void => {
    showUndo(message, async () => {
      await client.settings.undo({ token });
      await cache.invalidateQueries();
    });
  };

  return {
    async removeCases(ids: string[]): Promise<void> {
      try {
        const { token } = await client.suites.removeCases({ ids });
        await refresh();
        offerUndo(`Deleted ${counted(ids.length, 'case')}.`, token);
      } catch (error) {
        showFailure(error);
      }
    },
    async removeTasks(ids: string[]): Promise<void> {
      try {
        const { token } = await client.suites.removeTasks({ ids });
        await refresh();
        offerUndo(`Deleted ${counted(ids.length, 'task')}.`, token);
      } catch (error) {
        showFailure(error);
      }
    },
    async duplicateTasks(ids: string[]): Promise<void> {
      try {
        const copies = await client.suites.duplicateTasks({ ids });
        await refresh();
        showUndo(`Duplicated ${counted(copies.length, 'task')}.`, async () => {
          await client.suites.removeTasks({ ids: copies.map(({ id }) => id) });
          await cache.invalidateQueries();
        });
      } catch (error) {
        showFailure(error);
      }
    },
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
    async duplicateCases(ids: string[]): Promise<void> {
      try {
        const copies = await client.suites.duplicateCases({ ids });
        await refresh();
        showUndo(`Duplicated ${counted(copies.length, 'case')}.`, async () => {
          await client.suites.removeCases({ ids: copies.map(({ id }) => id) });
          await cache.invalidateQueries();
        });
      } catch (error) {
        showFailure(error);
      }
    },
  };
}
