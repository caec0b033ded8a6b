import { stem } from './contentTerms.ts';

/**
 * Words for the same operation or the same everyday thing in software: general English, not taken
 * from any catalog. They connect what people say with what tools are called. A word may belong to
 * several groups.
 */
const groups: readonly string[] = [
  'add create make insert register',
  'delete remove erase drop discard clear purge destroy trash rid',
  'list show display view see browse enumerate overview',
  'read get fetch retrieve load show view open obtain',
  'update edit change modify rename alter revise adjust amend rewrite',
  'complete finish done tick close resolve finalize finalise',
  'search find look lookup query locate seek discover',
  'send post publish submit deliver notify',
  'write save store',
  'move relocate transfer rename',
  'copy duplicate clone',
  'calculate compute evaluate determine estimate',
  'convert transform translate turn',
  'run execute launch start invoke perform',
  'stop cancel abort terminate end kill',
  'merge combine join concatenate',
  'compare diff difference',
  'book reserve schedule',
  'buy purchase order',
  'folder directory',
  'file document',
  'image picture photo',
  'task todo chore',
  'email mail',
  'issue ticket bug',
  'history log',
  'web internet online',
];

const groupsByStem = new Map<string, number[]>();
groups.forEach((line, group) => {
  for (const word of line.split(' ')) {
    const key = stem(word);
    groupsByStem.set(key, [...(groupsByStem.get(key) ?? []), group]);
  }
});
const none: readonly number[] = [];

/** Numbers of the groups that a stem belongs to; most words belong to none. */
export function groupsOf(wordStem: string): readonly number[] {
  return groupsByStem.get(wordStem) ?? none;
}
