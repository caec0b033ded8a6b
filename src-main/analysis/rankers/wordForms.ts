import { wordInFull, contentTerms, stem, type ContentTerm } from '../tokenizer.ts';

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
  contentTerms(text).flatMap((term) => {
    const parts = /\d/u.test(term.word) ? term.word.split(joined) : [term.word];
    return parts.map((part) => formOf(part, term));
  });

function formOf(part: string, term: ContentTerm): ContentTerm {
  const word = wordInFull(part);
  const own = word === term.word ? term.stem : stem(word);
  const verb = verbOf.get(own);
  return word === term.word && verb === undefined ? term : { word, stem: verb ?? own };
}

/** A number, alone or with its unit ("5km"): it says how much, never what for. */
export const isAmount = (term: string): boolean => /^\p{N}+(?:\p{Ll}{1,3})?$/u.test(term);
