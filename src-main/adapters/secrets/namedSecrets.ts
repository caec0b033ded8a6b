/** Where the values of `${secret:name}` come from. They go into a request or a child's environment and are stored nowhere. */
export interface NamedSecrets {
  get(name: string): Promise<string | null>;
}

/** The environment variable that holds the secret of this name. */
export function secretVariable(name: string): string {
  return `TOUCHSTONE_SECRET_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

export function createNamedSecrets(environment: Readonly<Record<string, string | undefined>> = process.env): NamedSecrets {
  return { get: async (name) => environment[secretVariable(name)] || null };
}

const mark = '••••';

/** Replaces the values wherever they stand in a text, as they are, as JSON writes them, or encoded for an address. Short ones are left: they would tear ordinary text apart. */
export function withoutSecrets(values: Iterable<string>): (text: string) => string {
  const forms = [...values]
    .filter((value) => value.length >= 4)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), Buffer.from(value).toString('base64').replace(/=+$/, '')])
    .sort((one, other) => other.length - one.length);
  return (text) => forms.reduce((cleaned, form) => cleaned.replaceAll(form, mark), text);
}
