import type { Services } from '../../services/services.ts';
import { os, type Handlers } from '../implementer.ts';
import { endWithReader } from '../stream.ts';

/** Each call of the reports topic with the method of the service that answers it. */
export function reportsHandlers(reports: Services['reports']): Handlers<'reports'> {
  return {
    export: os.reports.export.handler(({ input, context }) =>
      endWithReader(reports.export(input, context), context.signal),
    ),
    exportShown: os.reports.exportShown.handler(({ input, context }) =>
      endWithReader(reports.exportShown(input, context), context.signal),
    ),
  };
}
