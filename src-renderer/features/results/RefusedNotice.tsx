import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import { refusedLines } from '../../../src-shared/domain/refusedSetting.ts';
import { Notice } from '../../ui/notices/Notice.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { nameModels } from './modelNames.ts';

/** What endpoints refused, so that an evaluation went on without it. */
export function RefusedNotice({ models }: { models: readonly ModelSettings[] }) {
  const names = nameModels(models);
  const lines = refusedLines(
    models.map(({ id, model, refused }) => ({ label: names.get(id) ?? model, refused })),
  );
  return lines.length === 0 ? null : (
    <Notice>
      {lines.map((line) => (
        <div key={line}>
          <Foreign text={line} limit={400} />
        </div>
      ))}
    </Notice>
  );
}
