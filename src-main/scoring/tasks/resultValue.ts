import { orElse } from '../../../src-shared/domain/orElse.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { jsonValue, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { TaskResult } from '../../../src-shared/domain/task.ts';

/**
 * The value of a tool's result that checks look at: its structured content, else its text parsed as
 * JSON, else the text.
 */
export function resultValue({
  structured,
  text,
}: Pick<TaskResult, 'structured' | 'text'>): JsonValue {
  if (structured !== null) return structured;
  return orElse(() => jsonValue.parse(parseJson(text)), text);
}
