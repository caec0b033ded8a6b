import { parseSync, Visitor, type ESTree, type Plugin } from 'vite';

/** Calls that take the members of an object schema. */
const ofLibrary = new Set(['object', 'strictObject', 'looseObject']);
const ofSchema = new Set(['extend', 'safeExtend']);
/** Costs nothing to evaluate: what it names is made elsewhere. A member of a schema's shape makes that. */
const plain = new Set(['Identifier', 'Literal']);

/**
 * Has the members of object schemas made when their schema is first used. A start would make
 * thousands of schemas, and parses with a few dozen of them.
 */
export function lazyShapes(): Plugin {
  let isFound = false;
  return {
    name: 'lazy-shapes',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!/\/src-(?:shared|main)\/.*\.ts$/u.test(id)) return null;
      const made = withLazyShapes(id, code);
      if (made === code) return null;
      isFound = true;
      return { code: made, map: null };
    },
    buildEnd(error) {
      if (error === undefined && !isFound)
        this.error('No object schema was found: look at lazyShapes.');
    },
  };
}

/**
 * The text of a module with `{ name: z.string() }` as `{ get name() { return (z.string()); } }` in
 * object schemas; the schema library reads such a member once. Lines stay as they are.
 */
export function withLazyShapes(fileName: string, code: string): string {
  if (!code.includes("from 'zod'")) return code;
  const changes = membersOf(fileName, code).flatMap(({ key, value }) => [
    { start: key.start, end: key.start, text: 'get ' },
    {
      start: key.end,
      end: value.start,
      text: `()${code.slice(key.end, value.start).replace(':', '')}{ return (`,
    },
    { start: value.end, end: value.end, text: '); }' },
  ]);
  let made = '';
  let at = 0;
  for (const { start, end, text } of changes.toSorted((a, b) => a.start - b.start)) {
    made += code.slice(at, start) + text;
    at = end;
  }
  return made + code.slice(at);
}

/** The members of all object schemas of a module that a getter can make. */
function membersOf(fileName: string, code: string): ESTree.ObjectProperty[] {
  const members: ESTree.ObjectProperty[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [shape] }) {
      if (shape?.type !== 'ObjectExpression' || !takesShape(callee)) return;
      for (const member of shape.properties)
        if (member.type === 'Property' && isMade(member)) members.push(member);
    },
  }).visit(parseSync(fileName, code).program);
  return members;
}

function takesShape(callee: ESTree.Expression): boolean {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  const { object, property } = callee;
  const isLibrary = object.type === 'Identifier' && object.name === 'z';
  return (isLibrary ? ofLibrary : ofSchema).has(property.name);
}

const isMade = ({ kind, method, shorthand, computed, value }: ESTree.ObjectProperty): boolean =>
  kind === 'init' && !method && !shorthand && !computed && !plain.has(value.type);
