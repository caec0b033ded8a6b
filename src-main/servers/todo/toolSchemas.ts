import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { errorCodes } from './todoError.ts';

export const toolNames = [
  'add_task',
  'list_tasks',
  'update_task',
  'complete_task',
  'delete_task',
] as const;
export type ToolName = (typeof toolNames)[number];

type ObjectSchema = { type: 'object'; [key: string]: JsonValue };

export interface ToolDefinition {
  name: ToolName;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

// Lengths are counted in Unicode code points, as JSON Schema counts them.
export const maxTitleLength = 255;
export const maxDescriptionLength = 1000;

const userId = {
  type: 'string',
  minLength: 1,
  description:
    'Id of the user whose tasks these are. Every user sees and changes their own tasks only.',
};
const taskId = {
  type: 'integer',
  minimum: 1,
  description: 'Id of the task, as add_task and list_tasks give it.',
};
const title = {
  type: 'string',
  minLength: 1,
  maxLength: maxTitleLength,
  description: 'What is to be done, in 1 to 255 characters.',
};
const description = {
  type: ['string', 'null'],
  maxLength: maxDescriptionLength,
  description:
    'More about the task, in at most 1000 characters. Leave it out if there is nothing more ' +
    'to say.',
};
const newTitle = {
  ...title,
  type: ['string', 'null'],
  description: 'The new title, in 1 to 255 characters. Leave it out to keep the title.',
};
const newDescription = {
  ...description,
  description:
    'The new description, in at most 1000 characters; "" empties it. Leave it out to keep ' +
    'the description.',
};

function strict(properties: JsonObject, required: string[]): ObjectSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

const timestamp = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$' };
const task = strict(
  {
    id: { type: 'integer', minimum: 1 },
    title: { type: 'string' },
    description: { type: ['string', 'null'] },
    completed: { type: 'boolean' },
    user_id: { type: 'string' },
    created_at: { ...timestamp, description: 'When the task was added, UTC.' },
    updated_at: { ...timestamp, description: 'When the task was last changed, UTC.' },
  },
  ['id', 'title', 'description', 'completed', 'user_id', 'created_at', 'updated_at'],
);
const taskList = strict(
  { tasks: { type: 'array', items: task }, count: { type: 'integer', minimum: 0 } },
  ['tasks', 'count'],
);
const confirmation = strict({ success: { const: true }, message: { type: 'string' } }, [
  'success',
  'message',
]);
const failure = strict(
  {
    error: strict(
      { code: { enum: [...errorCodes] }, message: { type: 'string' }, details: { type: 'object' } },
      ['code', 'message'],
    ),
  },
  ['error'],
);

/**
 * The error is part of the schema because some clients validate the structured content of failed
 * calls too.
 */
function orFailure(result: JsonObject): ObjectSchema {
  return { type: 'object', oneOf: [result, failure] };
}

export const toolDefinitions: readonly ToolDefinition[] = [
  {
    name: 'add_task',
    title: 'Add task',
    description:
      "Adds a new task to a user's todo list. The answer is the task with its new id; it " +
      'starts as not completed.',
    inputSchema: strict({ user_id: userId, title, description }, ['user_id', 'title']),
    outputSchema: orFailure(task),
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  {
    name: 'list_tasks',
    title: 'List tasks',
    description:
      "Lists all tasks on a user's todo list, completed or not, by ascending id. Use it to " +
      'see the tasks or to find the id of one.',
    inputSchema: strict({ user_id: userId }, ['user_id']),
    outputSchema: orFailure(taskList),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'update_task',
    title: 'Update task',
    description:
      'Changes the title, the description or both of an existing task. What is left out ' +
      'stays as it is; at least one of the two must be given. It does not change whether the ' +
      'task is completed.',
    // Together with the two required names this means "at least one of title and description"
    // without a top-level anyOf, which some model providers refuse.
    inputSchema: {
      ...strict(
        { user_id: userId, task_id: taskId, title: newTitle, description: newDescription },
        ['user_id', 'task_id'],
      ),
      minProperties: 3,
    },
    outputSchema: orFailure(task),
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: 'complete_task',
    title: 'Complete or reopen task',
    description:
      'Toggles whether a task is completed: an open task is marked as done, a completed one ' +
      'is reopened. The answer is the task as it is then.',
    inputSchema: strict({ user_id: userId, task_id: taskId }, ['user_id', 'task_id']),
    outputSchema: orFailure(task),
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    },
  },
  {
    name: 'delete_task',
    title: 'Delete task',
    description:
      "Removes a task from a user's todo list for good. It can't be undone; to mark a task " +
      'as done use complete_task.',
    inputSchema: strict({ user_id: userId, task_id: taskId }, ['user_id', 'task_id']),
    outputSchema: orFailure(confirmation),
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
];
