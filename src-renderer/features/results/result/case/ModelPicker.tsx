import { Select } from '@mantine/core';
import type { ModelSettings } from '../../../../../src-shared/domain/model.ts';
import { visibleText } from '../../../../ui/text/visibleText.ts';
import { nameModels } from '../../modelNames.ts';

interface ModelPickerProps {
  models: readonly ModelSettings[];
  /** Null means all models. */
  chosen: string | null;
  onChoose: (model: string | null) => void;
}

/** Limits the page to one model. Nothing if there is only one. */
export function ModelPicker({ models, chosen, onChoose }: ModelPickerProps) {
  if (models.length < 2) return null;
  return (
    <Select
      size="xs"
      w={200}
      aria-label="Model"
      data={[
        { value: '', label: 'All models' },
        ...[...nameModels(models)].map(([value, label]) => ({
          value,
          label: visibleText(label),
        })),
      ]}
      value={chosen ?? ''}
      onChange={(model) => {
        onChoose(model === null || model === '' ? null : model);
      }}
      allowDeselect={false}
    />
  );
}
