import { expect, it } from 'vitest';
import { comparedModels } from './comparedModels.ts';

const model = (id: string, name = id) => ({ id, provider: 'builtin', model: name }) as const;
const [a, b, c] = [model('a'), model('b'), model('c')];
const side = (models: (typeof a)[], chosen: string | null = null) => ({ models, model: chosen });

it.each([
  ['no model where each side has one', side([a]), side([b]), null, [null, null]],
  ['the same model as the baseline', side([a, b]), side([b]), 'a', ['b', null]],
  ['the preset one where both sides have it', side([a, b]), side([b, a]), 'b', ['b', 'b']],
  ['one that both sides have before the preset one', side([a, b]), side([a, c]), 'b', ['a', 'a']],
  ['the preset one where no model is the same', side([a, b]), side([c]), 'b', ['b', null]],
  ['chosen models before all others', side([a, b], 'a'), side([a, b], 'b'), 'b', ['a', 'b']],
  ['the model of the baseline for a chosen one', side([a, b], 'b'), side([a, b]), 'a', ['b', 'b']],
  ['the first of the baseline where none is the same', side([a]), side([b, c]), null, [null, 'b']],
  [
    'equal settings where several have the name',
    side([a]),
    side([model('x', 'a'), a]),
    null,
    [null, 'a'],
  ],
] as const)('compares %s', (_title, own, base, preset, [ownModel, baseModel]) => {
  expect(comparedModels(own, base, preset)).toEqual({ own: ownModel, base: baseModel });
});
