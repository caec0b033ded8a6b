import type {
  ServerImportEntry,
  ServerImportPreview,
} from '../../../../src-shared/domain/serverImport.ts';

export type EntryAction = 'add' | 'replace' | 'leave';

export interface ImportChoice {
  acts: Readonly<Record<string, EntryAction>>;
  /** Typed values, by entry and reference. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Names of secrets that are none, by entry. */
  notSecret: Readonly<Record<string, readonly string[]>>;
}

export function possibleActions(props: ServerImportEntry): EntryAction[] {
  const { state, registersAs, replaces } = props;
  if (state === 'skipped' || state === 'same') return ['leave'];
  return [
    ...(registersAs === null ? [] : ['add' as const]),
    ...(replaces === null ? [] : ['replace' as const]),
    'leave',
  ];
}

/** New entries are selected by default. Conflicting or dangerous ones wait for a decision. */
export function firstChoice(preview: ServerImportPreview): ImportChoice {
  return {
    acts: Object.fromEntries(
      preview.entries.map((entry) => [
        entry.name,
        entry.state === 'new' && !entry.marks.some(({ severity }) => severity === 'danger')
          ? 'add'
          : 'leave',
      ]),
    ),
    values: {},
    notSecret: {},
  };
}

export interface ImportOrder {
  names: string[];
  replace: string[];
  values: { entry: string; reference: string; value: string }[];
  notSecret: { entry: string; secret: string }[];
}

/** The choice in the form that the contract takes, without the values of skipped entries. */
export function orderOf(
  preview: ServerImportPreview,
  { acts, values, notSecret }: ImportChoice,
): ImportOrder {
  const chosen = (act: EntryAction): string[] =>
    preview.entries
      .filter((entry) => acts[entry.name] === act && possibleActions(entry).includes(act))
      .map(({ name }) => name);
  const names = chosen('add');
  const replace = chosen('replace');
  const given = [...names, ...replace].flatMap((entry) =>
    Object.entries(values[entry] ?? {}).flatMap(([reference, value]) =>
      value === '' ? [] : [{ entry, reference, value }],
    ),
  );
  const plain = [...names, ...replace].flatMap((entry) =>
    (notSecret[entry] ?? []).map((secret) => ({ entry, secret })),
  );
  return { names, replace, values: given, notSecret: plain };
}
