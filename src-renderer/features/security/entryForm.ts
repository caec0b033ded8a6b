import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { corpusEntry, type CorpusEntry } from '../../../src-shared/domain/security.ts';

/** An entry while it is edited: common fields separately, everything else as JSON. */
export interface EntryForm {
  id: string;
  description: string;
  label: string;
  category: string;
  resembles: string;
  source: string;
  license: string;
  rest: string;
}

export const emptyEntryForm: EntryForm = {
  id: '',
  description: '',
  label: 'benign',
  category: 'hard_negative',
  resembles: '',
  source: 'self-authored',
  license: 'self-authored',
  rest: '{}',
};

export function formOfEntry(props: CorpusEntry): EntryForm {
  const { id, description, label, category, provenance, resembles, ...rest } = props;
  return {
    id,
    description,
    label,
    category,
    resembles: resembles ?? '',
    source: provenance.source,
    license: provenance.license,
    rest: JSON.stringify(rest, null, 2),
  };
}

export function entryOfForm(
  form: EntryForm,
): { entry: CorpusEntry } | { field: keyof EntryForm; problem: string } {
  let rest: unknown;
  try {
    rest = JSON.parse(form.rest.trim() === '' ? '{}' : form.rest);
  } catch (error) {
    return { field: 'rest', problem: `Invalid JSON: ${errorText(error)}` };
  }
  if (!isJsonObject(rest))
    return {
      field: 'rest',
      problem: 'Enter a JSON object: {"server": …, "tool": …, "schema": …}.',
    };
  if (form.id.trim() === '') return { field: 'id', problem: 'Enter an ID.' };
  if (form.license.trim() === '')
    return { field: 'license', problem: 'Enter the license of the text.' };
  if (form.source.trim() === '')
    return { field: 'source', problem: 'Enter the source of the text.' };
  const { id, description, label, category } = form;
  const read = corpusEntry.safeParse({
    ...rest,
    id: id.trim(),
    description,
    label,
    category,
    provenance: { source: form.source.trim(), license: form.license.trim() },
    ...(form.resembles === '' ? {} : { resembles: form.resembles }),
  });
  if (read.success) return { entry: read.data };
  const [issue] = read.error.issues;
  const at = issue?.path.join('.') ?? '';
  return {
    field: at in form ? (at as keyof EntryForm) : 'rest',
    problem: `${at}: ${issue?.message ?? "It can't be read."}`,
  };
}
