import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';

/** The labels of models by id; equal labels are numbered. */
export function nameModels(models: readonly ModelSettings[]): Map<string, string> {
  const labels = models.map((settings) =>
    settings.baseUrl === null
      ? modelLabel(settings)
      : `${modelLabel(settings)} (${settings.baseUrl})`,
  );
  return new Map(
    models.map(({ id }, index) => {
      const label = labels[index] ?? '';
      const isDuplicate = labels.filter((other) => other === label).length > 1;
      return [id, isDuplicate ? `${label} (${index + 1})` : label] as const;
    }),
  );
}
