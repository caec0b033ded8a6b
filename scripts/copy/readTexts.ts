import ts from 'typescript';

/** A text that a person can see, and where it is written. */
export interface VisibleText {
  line: number;
  text: string;
  /** Whether only commands print it. */
  ofCommands?: boolean;
}

/** Words inside a template or between elements that are only known when the program runs. */
const gap = '…';

/** SQL, paths, addresses, names of events and other texts for programs. */
const forPrograms = [
  /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER|PRAGMA|VACUUM|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|ATTACH|AND|OR|FROM|WHERE|GROUP|ORDER|JOIN|LEFT|LIMIT|VALUES|SET|ON)\b(?![a-z ]*\.$)/,
  /^[\w.-]+$/,
  /^[^\p{L}]*$/u,
  /^(\.{0,2}\/|https?:|var\(|calc\(|rgb|#[\da-f]{3})/,
  /^[a-z][\w-]*(\/[\w.*+-]+)+$/,
  /^(?:[\w-]+\([^)]*\)\s*)+$/,
  /[{};]\s*\n/,
];

/** Properties and attributes whose single words are visible too. */
const visibleNames = new Set([
  ...['label', 'title', 'placeholder', 'description', 'aria-label', 'alt', 'heading', 'header'],
  ...['caption', 'hint', 'message', 'error', 'empty', 'action', 'unit', 'text', 'help', 'finding'],
  ...['confirm', 'cancel', 'legend', 'note', 'thing', 'cause', 'nextStep', 'name', 'singular'],
  ...[
    'plural',
    'tooltip',
    'subtitle',
    'summary',
    'verb',
    'noun',
    'reason',
    'question',
    'emptyText',
  ],
]);

/** Attributes that no person sees, however many words they have. */
const hiddenNames = new Set([
  ...['className', 'style', 'id', 'key', 'd', 'viewBox', 'points', 'transform', 'classNames'],
  ...['gridTemplateColumns', 'gridTemplateAreas', 'gridArea', 'fontFamily', 'boxShadow', 'border'],
  ...['selector', 'flex', 'padding', 'margin', 'inset', 'transition', 'columns', 'sql', 'rel'],
]);

/**
 * The texts of a module that a person can see, in order: what stands between elements, and every
 * string that reads like words. A string for programs that reads like words is listed too: the list
 * is for reading through, so one too many is better than one missing.
 */
export function readTexts(fileName: string, source: string): VisibleText[] {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const found: VisibleText[] = [];
  const add = (node: ts.Node, text: string): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    found.push({
      line: line + 1,
      text: text.replaceAll(/\s+/g, ' ').trim(),
      ...(isOfCommands(node) && { ofCommands: true }),
    });
  };
  const visit = (node: ts.Node): void => {
    if (isSkipped(node)) return;
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const whole = joinChildren(node);
      if (whole !== null && /\p{L}/u.test(whole.replaceAll(gap, ''))) add(node, whole);
      visitInside(node, whole !== null);
      return;
    }
    const text = textOf(node);
    if (text !== null) {
      if (isVisible(node, text)) add(node, text);
      if (!ts.isTemplateExpression(node)) return;
    }
    ts.forEachChild(node, visit);
  };
  /** Attributes and expressions inside an element whose own words are already added. */
  const visitInside = (node: ts.JsxElement | ts.JsxFragment, joined: boolean): void => {
    if (ts.isJsxElement(node)) ts.forEachChild(node.openingElement, visit);
    for (const child of node.children) {
      if (joined && ts.isJsxElement(child)) visitInside(child, true);
      else if (joined && ts.isJsxExpression(child) && directText(child) !== null) continue;
      else visit(child);
    }
  };
  visit(file);
  return found;
}

/** Whether a text is what an error says on the command line only. */
const isOfCommands = (node: ts.Node | undefined): boolean =>
  node !== undefined &&
  ((ts.isPropertyAssignment(node) && node.name.getText() === 'onCommandLine') ||
    isOfCommands(node.parent));

/** Imports, types, comparisons and names: strings that only programs read. */
function isSkipped(node: ts.Node): boolean {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeNode(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isRegularExpressionLiteral(node) ||
    (ts.isJsxAttribute(node) && hiddenNames.has(node.name.getText())) ||
    (ts.isPropertyAssignment(node) && hiddenNames.has(node.name.getText()))
  );
}

/** The words of an element, `…` for what is only known later; null if it has none of its own. */
function joinChildren(node: ts.JsxElement | ts.JsxFragment): string | null {
  const own = node.children.some((child) => ts.isJsxText(child) && /\p{L}/u.test(child.text));
  if (!own) return null;
  return node.children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text;
      if (ts.isJsxElement(child)) return joinChildren(child) ?? gap;
      if (ts.isJsxExpression(child))
        return child.expression === undefined ? '' : (directText(child) ?? gap);
      return gap;
    })
    .join('');
}

function directText(node: ts.JsxExpression): string | null {
  return node.expression === undefined ? null : textOf(node.expression);
}

/** The text of a literal, or of a template with `…` for its expressions. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text + node.templateSpans.map(({ literal }) => `${gap}${literal.text}`).join('')
    );
  return null;
}

function isVisible(node: ts.Node, text: string): boolean {
  const trimmed = text.trim();
  const single = /^[\p{L}][\p{L}\p{N}’'-]*$/u.test(trimmed);
  const parent = node.parent;
  const name =
    ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)
      ? parent.name.getText()
      : ts.isJsxExpression(parent) && ts.isJsxAttribute(parent.parent)
        ? parent.parent.name.getText()
        : null;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return false;
  if (ts.isElementAccessExpression(parent) || ts.isLiteralTypeNode(parent)) return false;
  if (ts.isBinaryExpression(parent) && isComparison(parent)) return false;
  if (ts.isCaseClause(parent)) return false;
  if (single)
    return name === null
      ? /^\p{Lu}[\p{Ll}’]+$/u.test(trimmed)
      : visibleNames.has(name) && trimmed.length > 1;
  return !forPrograms.some((pattern) => pattern.test(trimmed)) && /\p{L}{2}/u.test(trimmed);
}

function isComparison({ operatorToken }: ts.BinaryExpression): boolean {
  return [
    ts.SyntaxKind.EqualsEqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsEqualsToken,
    ts.SyntaxKind.InKeyword,
  ].includes(operatorToken.kind);
}
