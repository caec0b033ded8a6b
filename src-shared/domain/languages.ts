/**
 * The languages that an answer check knows, by ISO 639-1 code, in the order of their script.
 * Serbian, Croatian and Bosnian in Latin letters are one (`hr`), as are Indonesian and Malay (`id`):
 * their function words are nearly the same.
 */
export const languages = [
  ...[
    'en',
    'de',
    'fr',
    'es',
    'it',
    'pt',
    'nl',
    'af',
    'sv',
    'da',
    'no',
    'fi',
    'et',
    'pl',
    'cs',
    'sk',
  ],
  ...[
    'hr',
    'sl',
    'hu',
    'ro',
    'tr',
    'ca',
    'gl',
    'id',
    'vi',
    'lt',
    'lv',
    'ru',
    'uk',
    'be',
    'bg',
    'mk',
    'sr',
    'ar',
    'fa',
  ],
  ...['ur', 'hi', 'mr', 'el', 'he', 'th', 'ko', 'ja', 'zh'],
] as const;
export type Language = (typeof languages)[number];
export const isLanguage = (value: unknown): value is Language =>
  languages.some((each) => each === value);
