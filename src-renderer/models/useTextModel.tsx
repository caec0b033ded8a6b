import { useState } from 'react';
import { firstChoice } from '../../src-shared/domain/provider.ts';
import { typedAdditions, type TypedAdditions } from '../../src-shared/domain/requestAdditions.ts';
import {
  readTextModel,
  textModelChoices,
  type TextModel,
} from '../../src-shared/domain/textModel.ts';
import { type ChosenModel, ModelChoice } from '../ui/fields/ModelChoice.tsx';
import { FoldedAdditions } from './AdditionFields.tsx';

/**
 * The fields of a model that is asked for texts, and the model that they name; null if none yet.
 * Until something is typed they show the known model, which may be loaded later.
 */
export function useTextModel(known: TextModel | null, when: string, portal = true) {
  const [own, setOwn] = useState<ChosenModel<TextModel['provider']> | null>(null);
  const [added, setAdded] = useState<TypedAdditions | null>(null);
  const typed = own ?? {
    provider: known?.provider ?? firstChoice,
    model: known?.model ?? '',
    baseUrl: known?.baseUrl ?? '',
  };
  const additions = added ?? typedAdditions(known ?? {});
  return {
    typed,
    model: readTextModel({ ...typed, additions }),
    choice: (
      <ModelChoice providers={textModelChoices} value={typed} onChange={setOwn} portal={portal} />
    ),
    additions: <FoldedAdditions value={additions} when={when} onChange={setAdded} />,
  };
}
