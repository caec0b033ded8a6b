import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { ColumnMap } from '../../../src-shared/contract/suites.ts';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import type { Store } from '../../store/store.ts';
import type { StagedCases } from '../../store/suites/stagedCases.ts';
import type { NewTask } from '../../store/suites/tasks.ts';
import { findSuite } from './findSuite.ts';
import { rememberMap } from './importMaps.ts';
import type { SuiteContent } from './suiteFileCodec.ts';

/** What an import changes besides the cases that it has staged. */
export interface TakeOver {
  /** Of the file: its name and settings, and the tasks. */
  content: Omit<SuiteContent, 'cases' | 'tasks'> & { folder?: string };
  tasks: readonly NewTask[];
  /** The id of the suite that gets them; null for the one that is named in the file. */
  into: string | null;
  replace: boolean;
  /** How the columns of the file were read, to be remembered by their shape. */
  map: { shape: string; map: ColumnMap } | null;
}

/** Everything that an import changes, in one transaction. */
export function takeOver(store: Store, staged: StagedCases, change: TakeOver): Suite {
  return store.transaction(() => {
    const { map, into, tasks, content, replace } = change;
    if (map !== null) rememberMap(store, map.shape, map.map);
    const existing = into === null ? store.suites.getByName(content.name) : findSuite(store, into);
    if (existing !== null && into === null && !replace) {
      throw new ServiceError('CONFLICT', {
        thing: `The suite ${content.name}`,
        cause: 'The workspace already has a suite with this name.',
        nextStep: 'Replace it, or change the name in the file.',
        field: 'replace',
      });
    }
    const { id } = existing ?? store.suites.insert(content);
    if (existing !== null && into === null) {
      store.suites.update(id, content);
      staged.replaceIn(id);
      store.tasks.replaceIn(id, tasks);
    } else {
      staged.appendTo(id);
      store.tasks.append(id, tasks);
    }
    return findSuite(store, id);
  });
}
