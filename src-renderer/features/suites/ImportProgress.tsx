import { useRead } from '../../api/index.ts';
import { importProgressText } from '../../../src-shared/display/suiteTexts.ts';

/** How far the core is with a file, as long as this is shown. */
export function ImportProgress() {
  const { data } = useRead((ask) => ask.suites.importProgress, { refetchInterval: 500, gcTime: 0 });
  return <span className="ts-number">{data == null ? '…' : importProgressText(data)}</span>;
}
