import type { MetricsFilter } from '../../../src-shared/domain/trend.ts';
import { isOriginal } from '../evaluations/origins.ts';

/**
 * Which runs are read: tables to join to `runs r`, conditions on them, and the bound values.
 */
export interface RunScope {
  joins: string;
  where: string;
  values: (string | number)[];
}

/**
 * `counting`: the last attempt of each run. `all`: also the attempts that it replaced, because they
 * were paid for too.
 */
export type Attempts = 'counting' | 'all';

export function evaluationScope(
  evaluationId: string,
  modelSettingsId: string | null,
  attempts: Attempts = 'counting',
): RunScope {
  const scope: RunScope = {
    joins: '',
    where: `r.evaluation_id = ?${attempts === 'counting' ? ' AND r.is_current = 1' : ''}`,
    values: [evaluationId],
  };
  if (modelSettingsId === null) return scope;
  return {
    ...scope,
    where: `${scope.where} AND r.model_settings_id = ?`,
    values: [evaluationId, modelSettingsId],
  };
}

/**
 * A run involves a tool where it called or expected it. Runs that were never scored have no units,
 * so their expected calls are read.
 */
const touches = (condition: (name: string) => string, expectedCondition: string) => `(
  EXISTS (SELECT 1 FROM confusion_units u WHERE u.test_run_id = r.id AND (${condition('u.expected')} OR ${condition('u.selected')}))
  OR r.status <> 'completed' AND EXISTS (SELECT 1 FROM json_each(k.content, '$.expectedCalls') call
    WHERE ${expectedCondition.replaceAll('@', 'call.value')} OR EXISTS (SELECT 1 FROM json_each(call.value, '$.anyOf') one WHERE ${expectedCondition.replaceAll('@', 'one.value')})))`;

/**
 * Only the given parts of the filter become conditions. Values are always bound, never spliced in.
 */
export function filterScope(filter: MetricsFilter, attempts: Attempts = 'counting'): RunScope {
  const where = [...(attempts === 'counting' ? ['r.is_current = 1'] : []), 'e.deleted_at IS NULL'];
  const values: (string | number)[] = [];
  const add = (condition: string, ...bound: (string | number)[]) => {
    where.push(condition);
    values.push(...bound);
  };
  if (filter.evaluationIds !== undefined)
    add(
      'r.evaluation_id IN (SELECT value FROM json_each(?))',
      JSON.stringify(filter.evaluationIds),
    );
  // An evaluation that is asked for by name is counted, whatever it comes from.
  else
    add(
      `r.evaluation_id IN (SELECT e.id FROM evaluations e WHERE e.unit = 'case'${filter.derived === true ? '' : ` AND ${isOriginal}`})`,
    );
  if (filter.suite !== undefined)
    add('(e.suite_id = ? OR e.suite_name = ?)', filter.suite, filter.suite);
  if (filter.from !== undefined) add('e.created_at >= ?', filter.from);
  if (filter.to !== undefined) add('e.created_at < ?', filter.to);
  if (filter.model !== undefined) {
    add(
      "r.model_settings_id IN (SELECT id FROM model_settings WHERE id = ? OR model = ? OR provider || '/' || model = ?)",
      filter.model,
      filter.model,
      filter.model,
    );
  }
  if (filter.tag !== undefined)
    add("EXISTS (SELECT 1 FROM json_each(k.content, '$.tags') t WHERE t.value = ?)", filter.tag);
  if (filter.tool !== undefined) {
    const id = filter.tool;
    // A row of alternatives names several tools, each between bars.
    const names = (name: string) => `instr(' | ' || ${name} || ' | ', ' | ' || ? || ' | ') > 0`;
    add(
      touches(names, "json_extract(@, '$.server') || ':' || json_extract(@, '$.tool') = ?"),
      id,
      id,
      id,
      id,
    );
  }
  if (filter.server !== undefined) {
    const prefix = `${filter.server}:`;
    const names = (name: string) => `instr(' | ' || ${name}, ' | ' || ?) > 0`;
    add(
      touches(names, "json_extract(@, '$.server') = ?"),
      prefix,
      prefix,
      filter.server,
      filter.server,
    );
  }
  const needsCase =
    filter.tag !== undefined || filter.tool !== undefined || filter.server !== undefined;
  return {
    joins: `JOIN evaluations e ON e.id = r.evaluation_id${needsCase ? ' JOIN entries c ON c.evaluation_id = r.evaluation_id AND c.position = r.position JOIN entry_contents k ON k.hash = c.content_hash' : ''}`,
    where: where.join(' AND '),
    values,
  };
}
