import { contentTerms } from '../tokenizer.ts';

/** Verbs that open the description of a tool, in their base form: general English. */
const verbs = new Set(
  `
    abort accept acknowledge activate add adjust aggregate align allow alter analyse analyze
    annotate announce append apply approve archive arrange ask assign attach authenticate ban
    begin block book broadcast browse build buy calculate cancel capture categorize change check
    chown claim classify clean clear click clone close collect combine comment commit compare
    compile complete compose compress compute configure confirm connect consolidate construct
    continue convert copy count crawl create crop deactivate debug decline decode decompress
    decrypt define delegate delete deliver demote deny deploy deprecate derive describe destroy
    detach detect diagnose disable discard disconnect discover dismiss dispatch display dissolve
    download drag drain drop duplicate edit eject embed enable encode encrypt enhance enqueue
    enrich enroll ensure erase escalate estimate evaluate examine exclude execute expand explain
    explore export extract fetch fill filter finalize find finish flatten flush follow fork format
    forward freeze fulfill generate get give grant handle hide highlight hover identify ignore
    impersonate import index initialise initialize inject insert inspect install invalidate invert
    invite invoke isolate issue join kill label launch like link list listen load locate lock log
    logout look lookup manage mark measure merge migrate minimize modify monitor morph mount move
    mute navigate negotiate notify nudge obtain open optimise optimize overwrite parse paste patch
    pause pay perform persist pin ping plan play populate post predict prepare preserve press
    preview print prioritize process promote propose provide provision prune publish pull purge
    push put query rank rate reactivate read rebase rebuild recalculate receive recognize
    recommend reconcile reconnect record recover recycle redeem redirect redo reduce refine
    reformat refresh refund regenerate register reject relay release relink reload remap remember
    remind remove rename render renew reopen reorder repair repeat replace replay replicate reply
    report reprocess request rerun resample rescan reschedule resend reserve reset resize resolve
    respond restart restore restrict resume retire retrieve retry return revalidate reveal reverse
    revert review revoke rewind rewrite rotate run sanitize save scale scan schedule scrape scroll
    search secure select send serialize set share show shuffle shutdown sign simulate skip snooze
    solve sort specify split star start stop store submit subscribe subtract suggest summarise
    summarize suspend swap swipe switch sync synthesize tag take tap terminate test throttle tidy
    toggle tokenize trace track transcribe transfer transform translate traverse trigger trim
    truncate tune type unarchive unassign unban unblock undelete undeploy undo unfollow unfreeze
    ungroup uninstall unlink unlist unload unlock unmount unmute unpack unpause unpin unpublish
    unregister unset unshare unstar unsubscribe untag unwatch update upgrade upload upsert vacuum
    validate verify view visit visualize wait walk watch withdraw write zoom
  `
    .trim()
    .split(/\s+/u),
);

/** Verbs that say nothing about a tool unless more follows: "process a message". */
const vagueVerbs = new Set(['allow', 'handle', 'manage', 'perform', 'process', 'provide']);

/** Verbs for what is only looked up. */
export const reads: ReadonlySet<string> = new Set(
  'describe download export fetch find get list load look lookup query read retrieve search show view'.split(
    ' ',
  ),
);

/** Verbs after which a thing is a new one. */
export const creates: ReadonlySet<string> = new Set(
  'add book build create draft generate insert register'.split(' '),
);

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
