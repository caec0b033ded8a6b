import { maxJudges } from '../../src-shared/domain/judgePromptText.ts';
import type { ModelConfiguration } from '../../src-shared/domain/model.ts';
import { needsBaseUrl, type RemoteProvider } from '../../src-shared/domain/provider.ts';
import {
  additionFaults,
  givenAdditions,
  noTypedAdditions,
  type TypedAdditions,
} from '../../src-shared/domain/requestAdditions.ts';

/** What a model beside those under test does: it judges runs, or plays their user. */
export const secondRoles = ['judge', 'user'] as const;
export type SecondRole = (typeof secondRoles)[number];

export const secondModelNames: Readonly<Record<SecondRole, string>> = {
  judge: 'Judge',
  user: 'User',
};

export interface SecondModelForm {
  /** Null: no such model. */
  provider: RemoteProvider | null;
  model: string;
  /** Empty means the provider's default address. */
  baseUrl: string;
  additions: TypedAdditions;
}

export const noSecondModel: SecondModelForm = {
  provider: null,
  model: '',
  baseUrl: '',
  additions: noTypedAdditions,
};

/** Reports what is missing or wrong, under the names of its fields. */
export function checkSecondModel(
  { provider, model, baseUrl, additions }: SecondModelForm,
  report: (field: string, fault: string) => void,
): void {
  if (provider === null) return;
  const names = namesOf(model).length;
  if (names === 0) report('model', 'Enter the name of the model.');
  if (names > maxJudges) report('model', `At most ${maxJudges} models judge a run.`);
  if (needsBaseUrl(provider) && baseUrl.trim() === '')
    report('baseUrl', 'Enter the base URL of the endpoint.');
  for (const [field, fault] of additionFaults(additions)) report(field, fault);
}

/** The names of one or more models, which have commas between them. */
const namesOf = (typed: string): string[] => typed.split(',').flatMap((name) => name.trim() || []);

/** All models that a form names, first to last. */
export const readSecondModels = (form: SecondModelForm): Partial<ModelConfiguration>[] =>
  namesOf(form.model).flatMap((model) => readSecondModel({ ...form, model }) ?? []);

/** The model as a request names it; null: none. */
export const readSecondModel = ({
  provider,
  model,
  baseUrl,
  additions,
}: SecondModelForm): Partial<ModelConfiguration> | null =>
  provider && {
    provider,
    model: model.trim(),
    baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
    // The same question should get the same answer.
    temperature: 0,
    ...givenAdditions(additions),
  };
