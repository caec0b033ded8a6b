import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../sourceText.ts';
import { findTextProblem } from './csvText.ts';
import type { CaseExchange } from './caseExchange.ts';
import { readChecks } from './mcpjamChecks.ts';
import { writeMcpjam } from './mcpjamWrite.ts';
import { SuiteDraft, type Change, type TextPosition } from './suiteDraft.ts';
import { nonEmptyText } from './values.ts';

const version = 1;

/** The suite file of MCPJam, schema version 1, as JSON or YAML. */
export const mcpjam: CaseExchange = {
  extension: '.mcpjam.json',

  read(text, options) {
    const draft = new SuiteDraft('mcpjam', version, text, options);
    const refused = findTextProblem(text);
    const source = refused === null ? readSourceText(text) : null;
    if (refused !== null) draft.problem(refused, refused.message);
    else if (source?.readable === false)
      for (const { line, column, path, message } of source.problems)
        draft.problem({ line, column }, message, path);
    else if (source?.readable === true) {
      const problem = (path: (string | number)[], message: string): void => {
        const { line, column, path: pointer } = source.problemAt(path, message);
        draft.problem({ line, column }, message, pointer);
      };
      const at = (path: (string | number)[]): TextPosition => {
        const { line, column } = source.problemAt(path, '');
        return { line, column };
      };
      readSuite(draft, source.value, options.server, problem, at);
    }
    return draft.finish();
  },

  write: writeMcpjam,
};

function readSuite(
  draft: SuiteDraft,
  file: JsonValue,
  server: string | null,
  problem: (path: (string | number)[], message: string) => void,
  at: (path: (string | number)[]) => TextPosition,
): void {
  if (!isJsonObject(file))
    return problem(
      [],
      'A suite file of MCPJam is an object with schemaVersion, suite, target and cases.',
    );
  const schemaVersion = file['schemaVersion'];
  if (schemaVersion !== '1')
    return problem(
      schemaVersion === undefined ? [] : ['schemaVersion'],
      schemaVersion === undefined
        ? 'The field "schemaVersion" is missing.'
        : `Schema version ${JSON.stringify(schemaVersion)} can't be read. Only "1" is supported.`,
    );
  if (!Array.isArray(file['cases']))
    return problem(file['cases'] === undefined ? [] : ['cases'], 'The file has no list of cases.');
  draft.name = isJsonObject(file['suite']) ? nonEmptyText(file['suite']['name']) : null;
  draft.system = isJsonObject(file['defaults'])
    ? nonEmptyText(file['defaults']['systemPrompt'])
    : null;
  const target =
    isJsonObject(file['target']) && Array.isArray(file['target']['servers'])
      ? file['target']['servers']
      : [];
  const named = target
    .map((each) => (isJsonObject(each) ? nonEmptyText(each['name']) : null))
    .filter((each) => each !== null);
  const servers = server === null ? named : [server];
  if (servers.length > 0) draft.servers = servers;
  for (const [index, each] of file['cases'].entries()) {
    if (isJsonObject(each))
      readCase(draft, each, index, servers.length > 0 ? servers : null, at(['cases', index]));
    else problem(['cases', index], 'A case is an object.');
  }
}

function readCase(
  draft: SuiteDraft,
  each: JsonObject,
  index: number,
  servers: readonly string[] | null,
  where: TextPosition,
): void {
  const sourceId = nonEmptyText(each['id']);
  const title = nonEmptyText(each['title']) ?? sourceId ?? `cases[${index}]`;
  const label = sourceId ?? title;
  const steps = (Array.isArray(each['steps']) ? each['steps'] : []).filter(isJsonObject);
  const prompts = steps
    .filter(({ kind }) => kind === 'prompt')
    .map(({ prompt }) => nonEmptyText(prompt));
  const [query = null, ...later] = prompts;
  if (query === null) return draft.skip(label, 'It has no prompt: it calls tools without a model.');
  if (later.length > 0)
    return draft.skip(label, 'It has several prompts; a case here is one query.');
  const changes: Change[] = [];
  const actionCount = steps.filter(({ kind }) => kind === 'toolCall' || kind === 'interact').length;
  if (actionCount > 0)
    changes.push({
      what: 'Steps',
      why:
        `${actionCount} ${actionCount === 1 ? 'step that acts' : 'steps that act'} without a ` +
        'model are left out.',
    });
  const asserted = steps
    .filter(({ kind }) => kind === 'assert')
    .map(({ assertion }) => assertion ?? null);
  const checks = each['checks'] ?? each['assertions'];
  const found = readChecks(
    [...(Array.isArray(checks) ? checks : []), ...asserted],
    each['isNegativeTest'] === true,
  );
  if ('reasons' in found) return draft.skip(label, found.reasons.join(' '));
  if (nonEmptyText(each['expectedOutput']) !== null)
    changes.push({ what: 'expectedOutput', why: 'Only calls are checked here; it is left out.' });
  if (each['disabled'] === true)
    changes.push({
      what: 'disabled',
      why: 'It is left out of runs there; here it runs, and has the tag disabled.',
    });
  const known = servers ?? (found.calls.length > 0 ? [draft.assumeServer()] : []);
  const calls = found.calls.map(({ tool, parameters }) => {
    const [only, ...others] = known;
    const where =
      others.length === 0
        ? { server: only ?? '', tool }
        : { any_of: known.map((server) => ({ server, tool })) };
    return { ...where, ...(parameters !== undefined && { parameters }) };
  });
  draft.add({
    sourceId,
    name: title,
    query,
    calls,
    ...(each['disabled'] === true && { tags: ['disabled'] }),
    changes: [...changes, ...found.changes],
    where,
  });
}
