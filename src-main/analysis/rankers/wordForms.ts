import { wordInFull } from '../abbreviations.ts';
import { contentTerms, stem, type ContentTerm } from '../contentTerms.ts';

/** Nouns of actions whose stem is not that of their verb. */
const verbOf = new Map(
  (
    'addition add, analysis analyze, approval approve, arrival arrive, cancellation cancel, ' +
    'classification classify, comparison compare, conversion convert, departure depart, ' +
    'deployment deploy, division divide, enrollment enroll, identification identify, ' +
    'inclusion include, measurement measure, modification modify, multiplication multiply, ' +
    'notification notify, payment pay, registration register, removal remove, renewal renew, ' +
    'replacement replace, retrieval retrieve, shipment ship, submission submit, ' +
    'subscription subscribe, subtraction subtract, verification verify'
  )
    .split(', ')
    .map((pair) => pair.split(' ').map(stem) as [string, string]),
);

/** "md2html" and "ec2instances" hold two words; "oauth2", "utf8" and "s3" are one. */
const joined = /(?<=\p{L}\d)(?=\p{L}{5,}$)|(?<=^\p{L}{2,})[24](?=\p{L}{2,4}$)/u;

/**
 * The content terms of a text with abbreviations in full ("db" → database), nouns of actions as
 * verbs ("removal" → remove), and words that are joined by a digit apart.
 */
export const rankTerms = (text: string): ContentTerm[] =>
  contentTerms(text).flatMap(({ word }) =>
    (/\d/u.test(word) ? word.split(joined) : [word]).map((part) => {
      const full = wordInFull(part);
      const own = stem(full);
      return { word: full, stem: verbOf.get(own) ?? own };
    }),
  );

/** A number, alone or with its unit ("5km"): it says how much, never what for. */
export const isAmount = (term: string): boolean => /^\p{N}+(?:\p{Ll}{1,3})?$/u.test(term);
