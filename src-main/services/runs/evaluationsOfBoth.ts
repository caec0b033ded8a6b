import { contract } from '../../../src-shared/contract/index.ts';
import type { BothUnits } from '../../../src-shared/contract/evaluations.ts';
import type { UnitOf } from '../../../src-shared/contract/byUnit.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import type { EvaluationsService } from '../evaluations/evaluationsService.ts';
import type { Methods } from '../contractTypes.ts';
import type { TaskEvaluationsService } from '../tasks/taskEvaluationsService.ts';

type Cases = Methods<'cases', EvaluationsService>;
type Tasks = Methods<'tasks', TaskEvaluationsService>;

type Asked<Method, Unit> = Method extends (
  input: infer Input,
  ...options: infer Options
) => infer Answer
  ? (input: Input & Unit, ...options: Options) => Answer
  : never;

/** The topic of evaluations: what both units have answers for the one that the input names. */
export type EvaluationsOfBoth = Omit<Cases, BothUnits> &
  Omit<Tasks, BothUnits> & {
    [Name in BothUnits]: Asked<Cases[Name], UnitOf<'case'>> & Asked<Tasks[Name], UnitOf<'task'>>;
  };

/** One service of the services of both units; the input of an evaluation of tasks names its unit. */
export function evaluationsOfBoth(cases: Cases, tasks: Tasks): EvaluationsOfBoth {
  type Method = (input: object, options?: unknown) => unknown;
  const methodsOf: Record<EvaluationUnit, Partial<Record<string, Method>>> = {
    case: cases as never,
    task: tasks as never,
  };
  return Object.fromEntries(
    Object.keys(contract.evaluations).map((name) => {
      const call = ({ unit, ...input }: { unit?: EvaluationUnit }, options: unknown) => {
        const service = methodsOf[unit ?? (name in cases ? 'case' : 'task')];
        return service[name]?.(input, options);
      };
      return [name, call];
    }),
  ) as unknown as EvaluationsOfBoth;
}
