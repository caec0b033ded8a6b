import { useState } from 'react';
import { firstChoice } from '../../src-shared/domain/provider.ts';
import { additionFaults, typedAdditions } from '../../src-shared/domain/requestAdditions.ts';
import {
  readTextModel,
  textModelChoices,
  type TextModel,
} from '../../src-shared/domain/textModel.ts';
import { ModelChoice } from '../ui/fields/ModelChoice.tsx';
import { FoldedAdditions } from './AdditionFields.tsx';

/** The fields of a model that is asked for texts, and the model that they name; null if none yet. */
export function useTextModel(known: TextModel | null, when: string, portal = true) {
  const [typed, setTyped] = useState({
    provider: known?.provider ?? firstChoice,
    model: known?.model ?? '',
    baseUrl: known?.baseUrl ?? '',
  });
  const [additions, setAdditions] = useState(typedAdditions(known ?? {}));
  const faults = additionFaults(additions);
  return {
    typed,
    model: readTextModel({ ...typed, additions }),
    choice: (
      <ModelChoice providers={textModelChoices} value={typed} onChange={setTyped} portal={portal} />
    ),
    additions: (
      <FoldedAdditions
        value={additions}
        faultOf={(field) => faults.get(field)}
        when={when}
        onChange={(part) => setAdditions({ ...additions, ...part })}
      />
    ),
  };
}
