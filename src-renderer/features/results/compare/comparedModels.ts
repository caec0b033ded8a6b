import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';

type Model = Pick<ModelSettings, 'id' | 'provider' | 'model'>;

interface Side {
  models: readonly Model[];
  /** The chosen model, by the id of its settings. */
  model: string | null;
}

/** The only one of the models that is equal to another, or else has its name. */
function sameModel(models: readonly Model[], other: Model): string | null {
  const equal = models.find(({ id }) => id === other.id);
  const named = models.filter((one) => modelLabel(one) === modelLabel(other));
  return equal?.id ?? (named.length === 1 ? (named[0]?.id ?? null) : null);
}

/**
 * The models that are compared, one per side: the chosen ones, or else the same on both sides, the
 * preset one before others. Null for a side with a single model.
 */
export function comparedModels(
  own: Side,
  base: Side,
  preset: string | null,
): { own: string | null; base: string | null } {
  const known = ({ models, model }: Side): Model | undefined =>
    models.find(({ id }) => id === model) ?? (models.length === 1 ? models[0] : undefined);
  const baseModel = known(base);
  const wanted = own.models.toSorted((a, b) => Number(b.id === preset) - Number(a.id === preset));
  const ownModel =
    known(own) ??
    (baseModel === undefined
      ? wanted.find((one) => sameModel(base.models, one) !== null)
      : own.models.find(({ id }) => id === sameModel(own.models, baseModel))) ??
    wanted[0];
  const otherModel =
    baseModel?.id ??
    (ownModel === undefined ? null : sameModel(base.models, ownModel)) ??
    base.models[0]?.id ??
    null;
  return {
    own: own.models.length > 1 ? (ownModel?.id ?? null) : null,
    base: base.models.length > 1 ? otherModel : null,
  };
}
