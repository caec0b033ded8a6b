import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { example, type LintRule } from './rule.ts';

const readVerbs = new Set(
  'get list read search find fetch query retrieve view show lookup browse describe count'.split(
    ' ',
  ),
);
const writeVerbs = new Set(
  (
    'delete remove drop erase clear write create update edit insert append add set put patch post ' +
    'save send move rename upload cancel archive merge replace'
  ).split(' '),
);

/** The first word of the name that says whether the tool reads or writes; null if none does. */
function verbOf(nameWords: readonly string[]): { verb: string; writes: boolean } | null {
  const verb = nameWords.find((word) => readVerbs.has(word) || writeVerbs.has(word));
  return verb === undefined ? null : { verb, writes: writeVerbs.has(verb) };
}

const annotated = (name: string, description: string, annotations: JsonObject): AnalysedTool => ({
  ...example(name, description),
  annotations,
});

const conflictingAnnotations: LintRule = {
  id: 'conflicting-annotations',
  severity: 'high',
  what:
    'Annotations that contradict each other or the name. Clients decide by them whether to ask ' +
    'for confirmation.',
  fix: 'Set "readOnlyHint" and "destructiveHint" to what the tool does.',
  bad: annotated('delete_invoice', 'Deletes an invoice. This can’t be undone.', {
    readOnlyHint: true,
  }),
  good: annotated('delete_invoice', 'Deletes an invoice. This can’t be undone.', {
    readOnlyHint: false,
    destructiveHint: true,
  }),
  check({ tool, nameWords }) {
    const readOnly = tool.annotations?.['readOnlyHint'];
    const destructive = tool.annotations?.['destructiveHint'];
    const verb = verbOf(nameWords);
    if (readOnly === true && destructive === true)
      return [{ message: '"readOnlyHint" and "destructiveHint" are both true.' }];
    if (readOnly === true && verb?.writes)
      return [{ message: `"readOnlyHint" is true, but the name says "${verb.verb}".` }];
    return destructive === true && verb?.writes === false
      ? [{ message: `"destructiveHint" is true, but the name says "${verb.verb}".` }]
      : [];
  },
};

const emptyTitle: LintRule = {
  id: 'empty-title',
  severity: 'low',
  what: 'An empty title. Clients show it instead of the name.',
  fix: 'Write a title or remove the field.',
  bad: { ...example('archive_invoice', 'Moves a paid bill away. Use it last.'), title: ' ' },
  good: {
    ...example('archive_invoice', 'Moves a paid bill away. Use it last.'),
    title: 'Archive an invoice',
  },
  check({ tool }) {
    const hints = isJsonObject(tool.annotations) ? tool.annotations : {};
    return [tool.title, hints['title']].some(
      (title) => typeof title === 'string' && title.trim() === '',
    )
      ? [{ message: `"${tool.name}" has an empty title.` }]
      : [];
  },
};

export const annotationRules: readonly LintRule[] = [conflictingAnnotations, emptyTitle];
