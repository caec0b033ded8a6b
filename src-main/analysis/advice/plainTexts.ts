import { sentencesOf } from './spoken.ts';

/** How a sentence begins that says what to do. */
const imperative =
  /^\W*(?:please |also )?(?:use|call|run|do|don['’]t|prefer|read|check|find|make|provide|pass|set|choose|follow|specify|include|keep|try|start|wait|poll|require|verify|confirm|ask|combine|consult|ensure|fall back|look|answer|respond|reply|tell|inform|avoid|always|never|only|note)\b/iu;
/** An order in the middle of a sentence. */
const turn =
  /(?:[,;:—–-]|\b(?:and|or)) ?(?:first |then |please |instead )?(?:use|call|run|invoke|poll|verify|answer|respond|reply|prefer|do not|don['’]t|never)\b/iu;
/** An order behind a sentence whose full stop is missing. */
const splice =
  /(?<=[\p{Ll}\p{N})”"'`] )(?:Use|Call|Do|Please) (?:when|whenever|if|this|it|for|to|before|after|only|not|that)\b/u;
/** "Use this when": what the tool is for. */
const scope = /^\W*use (?:this|it)(?: tool)? (?:when|for|to|if)\b/iu;
const loud =
  /(?<![\p{L}_`"'-])(?:DO|NOT|ONLY|MUST|NEVER|ALWAYS|ALL|ANY|SET|BEFORE|AFTER|FIRST|USE|WITH|WARNING|IMPORTANT|CRITICAL|ONCE|FALLBACK|INSTEAD|REQUIRED|TIP|CAUTION|EXACTLY|EVERY)(?![\p{L}_`"'-])/u;
/** What is praised instead of said. */
const praise =
  /\b(?:easily|effortless(?:ly)?|efficient(?:ly)?|seamless(?:ly)?|powerful|comprehensive|up-to-date|real-time|robust|intelligent(?:ly)?|optimi[sz]ed|instant(?:ly)?|perfect|ideal(?:ly)?|essential|crucial|important|valuable|high-quality|state-of-the-art|cutting-edge|best for|ensur(?:es|ing) (?:you|that))\b/iu;
/** A name in code: `task_id`, "getTask" or 'get-task'. */
const name =
  /[\p{L}\p{N}]_[\p{L}\p{N}]|(?<!\p{L})\p{Ll}{2,}\p{Lu}\p{Ll}|['"“‘`]\p{Ll}+(?:-\p{Ll}+)+['"”’`]/u;
const marks = /[[\]<>#*|→]|\p{Extended_Pictographic}/u;

/**
 * Whether a text does nothing but say what its tool does: after its first sentence nothing is told to
 * do but what the tool is for ("Use this to …"), nor in the middle of one ("…, use update_task"), no
 * word is in capitals for its weight, nothing is praised, and it has no names in code, square brackets,
 * markup or pictures. Words are English ones, marks of any language. Of the 1,623 real descriptions
 * that readers would paste and that have no other flaw, 81% are plain, and of the 6 that they call
 * bad 2.
 */
export function isPlain(text: string): boolean {
  const [, ...rest] = sentencesOf(text);
  return (
    !rest.some((each) => imperative.test(each) && !scope.test(each)) &&
    ![turn, splice, loud, praise, name, marks].some((pattern) => pattern.test(text))
  );
}
