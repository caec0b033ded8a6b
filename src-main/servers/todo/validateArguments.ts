import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { toolDefinitions, type ToolName } from './toolSchemas.ts';
import { invalid, TodoError } from './todoError.ts';

/**
 * Arguments in the form of the store; null means not given. Only tools such as `update_task` have a
 * `taskId`.
 */
export interface TodoArguments {
  userId: string;
  taskId: number | null;
  title: string | null;
  description: string | null;
}

// The published schemas are the ones that are checked. Unions with null are intended: null means
// "not given".
const ajv = new Ajv2020({ allowUnionTypes: true });

/** Compiled with the first call: most starts only list the tools. */
function validatorOf(tool: ToolName): ValidateFunction | undefined {
  const schema = toolDefinitions.find(({ name }) => name === tool)?.inputSchema;
  // Compiled once for each schema.
  return schema && ajv.compile(schema);
}

/** Throws TodoError: AUTH_ERROR first, then VALIDATION_ERROR for the first invalid field. */
export function validateArguments(tool: ToolName, received: unknown): TodoArguments {
  const args: Record<string, unknown> = isJsonObject(received) ? received : {};
  const userId = args['user_id'];
  // All ill-formed strings become the same text in the database, so two such users would share
  // their tasks.
  if (typeof userId !== 'string' || userId === '' || !userId.isWellFormed()) {
    throw new TodoError('AUTH_ERROR', 'Missing or invalid user_id: a non-empty string is needed');
  }
  const validate = validatorOf(tool);
  if (!validate?.(args)) throw explain(validate?.errors?.[0]);
  const title = textOf(args, 'title');
  const description = textOf(args, 'description');
  if (tool === 'update_task' && title === null && description === null) throw nothingToUpdate();
  return {
    userId,
    taskId: typeof args['task_id'] === 'number' ? args['task_id'] : null,
    title,
    description,
  };
}

function textOf(args: Record<string, unknown>, field: 'title' | 'description'): string | null {
  const value = args[field];
  if (typeof value !== 'string') return null;
  if (!value.isWellFormed()) throw invalid(field, 'must be well-formed Unicode');
  return value;
}

const nothingToUpdate = (): TodoError =>
  invalid('title', 'at least one of title and description must be given');

function explain(error: ErrorObject | undefined): TodoError {
  const params: Record<string, unknown> = error?.params ?? {};
  if (error?.keyword === 'additionalProperties')
    return invalid(String(params['additionalProperty']), 'is not a field of this tool');
  if (error?.keyword === 'required')
    return invalid(String(params['missingProperty']), 'is required');
  if (error?.keyword === 'minProperties') return nothingToUpdate();
  return invalid(error?.instancePath.slice(1) ?? '', error?.message ?? 'is not valid');
}
