import { contentTerms } from '../contentTerms.ts';

/** Verbs that open the description of a tool, in their base form: general English. */
const verbs = new Set(
  `
    accept activate add adjust aggregate allow analyze analyse append apply approve archive assign
    attach authenticate book browse build calculate cancel capture change check clear click clone
    close combine comment commit compare complete compute configure connect convert copy count
    create deactivate decode delete deploy describe detect disable dismiss display download drag
    drop duplicate edit enable encode evaluate execute explain explore export extract fetch fill filter find
    finish fork format forward generate get give handle hide hover import index insert inspect
    install invite invoke issue join kill label launch like link list load lock log look lookup
    manage mark merge modify mount move mute navigate notify open parse pause perform pin play post
    predict press preview print process provide publish pull push put query read rebase receive
    record redirect refresh register reject release reload remember remind remove rename render
    reopen reorder replace reply report request reschedule reserve reset resize resolve restart
    restore resume retrieve return revert review revoke run save scan schedule search select send
    set share show sign sort split star start stop store submit subscribe summarize switch sync
    tag take test toggle trace track transfer transform translate trigger type uninstall unlock
    unpin unsubscribe update upload validate verify view visit wait watch write
  `
    .trim()
    .split(/\s+/u),
);

/** Verbs that say nothing about a tool unless more follows: "process a message". */
export const vagueVerbs = new Set(['allow', 'handle', 'manage', 'perform', 'process', 'provide']);

/** "Deletes" or "delete" as "delete"; null if the word is none of the known verbs. */
export function baseVerb(word: string): string | null {
  const lower = word.toLowerCase();
  const forms = [
    lower,
    lower.replace(/s$/u, ''),
    lower.replace(/es$/u, ''),
    lower.replace(/ies$/u, 'y'),
  ];
  return forms.find((form) => verbs.has(form)) ?? null;
}

const maxWords = 14;
/** A clause may be cut before these, and still says what the tool does. */
const cutBefore =
  /(?:[,;]|\s[-–—]\s|\s\(|\s(?:including|using|such as|so that|which|when|if|by)\s)/u;
const dangling = /\s(?:a|an|the|of|in|on|at|to|for|from|by|with|and|or|as|that|its|their|your)$/iu;
/** Markup, quotations and addresses do not read well inside another sentence. */
const unfit = /[`*_#<>[\]{}|"“”:\\]|https?:|\b(?:deprecated|this tool|you|your|i)\b/iu;

/**
 * What a tool does as a clause that fits after "to": "permanently delete a task". Taken from the
 * first sentence of the description, whose first word must be a known verb. Null if that sentence
 * cannot be read so, says nothing ("process a message"), or is longer than 14 words.
 */
export function purposeOf(description: string): string | null {
  const text = description.trim().replaceAll(/\s+/gu, ' ');
  const sentence = (/^(.*?)[.!?](?:\s|$)/u.exec(text)?.[1] ?? text).trim();
  const [first = '', ...rest] = sentence.split(' ');
  const verb = baseVerb(first);
  if (verb === null || rest.length === 0) return null;
  if (vagueVerbs.has(verb) && rest.length < 3) return null;
  const isThirdPerson = first.toLowerCase() !== verb;
  const whole = [verb, ...rest].join(' ');
  const cut = cutBefore.exec(whole);
  const clause =
    whole.split(' ').length <= maxWords && !whole.includes('(')
      ? whole
      : cut
        ? whole.slice(0, cut.index)
        : whole;
  const words = clause.split(' ');
  if (words.length < 2 || words.length > maxWords || dangling.test(clause) || unfit.test(clause))
    return null;
  // "Adds a task and returns it" would need every verb of the sentence turned.
  if (isThirdPerson && /\b(?:and|or|then)\s+(?:\w+ly\s+)?\w+s\b/u.test(clause)) return null;
  return contentTerms(clause).length >= 2 ? clause : null;
}
