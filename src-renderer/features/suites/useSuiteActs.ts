import { useQueryClient } from '@tanstack/react-query';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { showFailure, showUndo } from '../../ui/UndoNotice.tsx';
import { counted } from '../../ui/words.ts';
import { saveTextFile } from '../../ui/saveTextFile.ts';

/** Acts on a suite that have no form of their own. Each tells its failure; deletions can be taken back. */
export function useSuiteActs() {
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
    /** True where the suite is gone. */
    async removeSuite(suite: Suite): Promise<boolean> {
      try {
        const { token } = await client.suites.remove({ id: suite.id });
        await refresh();
        offerUndo(`Deleted suite “${suite.name}” with ${counted(suite.caseCount, 'case')}. Its evaluations stay.`, token);
        return true;
      } catch (error) {
        showFailure(error);
        return false;
      }
    },
    async exportSuite(id: string, format: 'yaml' | 'json'): Promise<void> {
      try {
        const file = await client.suites.export({ id, format });
        saveTextFile(file.fileName, file.text, format === 'json' ? 'application/json' : 'application/yaml');
      } catch (error) {
        showFailure(error);
      }
    },
  };
}
