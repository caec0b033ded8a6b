import type {
  AnySchema,
  ContractProcedure,
  InferSchemaInput,
  InferSchemaOutput,
  Meta,
  Schema,
} from '@orpc/contract';
import { z } from 'zod';
import type { EvaluationUnit } from '../domain/gate.ts';
import { procedure } from './base.ts';
import type { errors } from './errors.ts';

type Procedure<In extends AnySchema, Out extends AnySchema> = ContractProcedure<
  In,
  Out,
  typeof errors,
  Meta
>;

declare const units: unique symbol;
/** A procedure that cases and tasks both have, with the input and output of each. */
interface ByUnit<Cases, Tasks> {
  readonly [units]?: { case: Cases; task: Tasks };
}

/** Names the unit in an input: without it, cases are meant. */
export type UnitOf<Unit extends EvaluationUnit> = Unit extends 'case'
  ? { unit?: 'case' | undefined }
  : { unit: 'task' };

/** What callers of one unit pass and get. */
export type Called<Topic, Unit extends EvaluationUnit> = {
  [Name in keyof Topic]: Topic[Name] extends ByUnit<infer Cases, infer Tasks>
    ? { case: Cases; task: Tasks }[Unit] extends Procedure<infer In, infer Out>
      ? Procedure<
          Schema<InferSchemaInput<In> & UnitOf<Unit>, InferSchemaOutput<In> & UnitOf<Unit>>,
          Out
        >
      : never
    : Topic[Name];
};

/** What the service of one unit answers: the input names the unit no more. */
export type Answered<Topic, Unit extends EvaluationUnit> = {
  [Name in keyof Topic]: Topic[Name] extends ByUnit<infer Cases, infer Tasks>
    ? { case: Cases; task: Tasks }[Unit]
    : Topic[Name];
};

/** One procedure for cases and tasks: `unit` in its input says which; absent, it is cases. */
export function byUnit<
  CaseIn extends z.ZodObject,
  CaseOut extends AnySchema,
  TaskIn extends z.ZodObject,
  TaskOut extends AnySchema,
>(
  [caseInput, caseOutput]: readonly [CaseIn, CaseOut],
  [taskInput, taskOutput]: readonly [TaskIn, TaskOut],
  output: AnySchema = z.union([
    caseOutput as unknown as z.ZodType,
    taskOutput as unknown as z.ZodType,
  ]),
) {
  const input = z.discriminatedUnion('unit', [
    caseInput.extend({ unit: z.literal('case').optional() }),
    taskInput.extend({ unit: z.literal('task') }),
  ]);
  return procedure.input(input).output(output) as unknown as Procedure<
    Schema<
      (z.input<CaseIn> & UnitOf<'case'>) | (z.input<TaskIn> & UnitOf<'task'>),
      (z.output<CaseIn> & UnitOf<'case'>) | (z.output<TaskIn> & UnitOf<'task'>)
    >,
    Schema<
      InferSchemaInput<CaseOut> | InferSchemaInput<TaskOut>,
      InferSchemaOutput<CaseOut> | InferSchemaOutput<TaskOut>
    >
  > &
    ByUnit<Procedure<CaseIn, CaseOut>, Procedure<TaskIn, TaskOut>>;
}
