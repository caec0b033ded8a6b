import { modelConfiguration } from '../../../src-shared/domain/model.ts';
import {
  checkSecondModel,
  noSecondModel,
  readSecondModel,
  type SecondModelForm,
} from '../../models/secondModelForm.ts';

export interface JudgeForm extends SecondModelForm {
  runs: number;
}

export const noJudge: JudgeForm = { ...noSecondModel, runs: 3 };

/** What is missing or wrong, by the names of its fields. */
export function judgeFaults(form: JudgeForm): ReadonlyMap<string, string> {
  const faults = new Map<string, string>();
  checkSecondModel(form, (field, fault) => faults.set(field, fault));
  return faults;
}

/** The judge as a request names it; null: none. */
export function readJudge(form: JudgeForm) {
  const model = readSecondModel(form);
  return model && { model: modelConfiguration.parse(model), runs: form.runs };
}
