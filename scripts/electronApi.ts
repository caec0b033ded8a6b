import { globSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A use of Electron's API in the shell. */
export interface ElectronUse {
  /** As in the list of rules: `app.quit`, `app:before-quit`, `WebPreferences.sandbox`. */
  name: string;
  at: string;
  /** What the types of the pinned version say about it, without marks. */
  deprecated: boolean;
  /** Where it exists, if not everywhere. */
  systems: readonly string[];
}

/** Objects whose members are options: what is given, each with a meaning of its own. */
const optionTypes = new Set([
  'BaseWindowConstructorOptions',
  'BrowserWindowConstructorOptions',
  'MenuItemConstructorOptions',
  'MessageBoxOptions',
  'MessageBoxSyncOptions',
  'OpenDialogOptions',
  'Privileges',
  'SaveDialogOptions',
  'WebPreferences',
]);
/** Plain data, which has no rules of its own. */
const structures = new Set([
  'MessageBoxOptions',
  'OnBeforeRequestListenerDetails',
  'Process',
  'Rectangle',
]);
const eventMethods = new Set(['on', 'once', 'addListener', 'prependListener']);

/**
 * What the shell uses of Electron, by the types of the pinned version. Names that these don't have
 * are errors of `npm run typecheck`.
 */
export function electronUses(root: string): ElectronUse[] {
  const files = globSync('src-main/hosts/electron/*.ts', {
    cwd: root,
  })
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => join(root, name));
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  // Types of Electron reach the shell from these alone: the program behind the rest of its imports
  // is large.
  const isRead = (file: string): boolean => files.includes(file) || file.endsWith('.d.ts');
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) =>
      isRead(from)
        ? ts.resolveModuleName(text, from, options, host)
        : { resolvedModule: undefined },
    );
  const program = ts.createProgram(files, options, host);
  const checker = program.getTypeChecker();
  const uses: ElectronUse[] = [];

  const isElectrons = (node: ts.Node): boolean =>
    node.getSourceFile().fileName.endsWith('/electron/electron.d.ts');

  function add(node: ts.Node, declaration: ts.Node, name: string): void {
    const { line } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
    const tags = ts.getJSDocTags(declaration);
    const systems = tags
      .filter(({ tagName }) => tagName.text === 'platform')
      .flatMap(({ comment }) => String(comment ?? '').split(','))
      .map((system) => system.trim());
    uses.push({
      name,
      at: `${node.getSourceFile().fileName.slice(root.length + 1)}:${line + 1}`,
      deprecated: tags.some(({ tagName }) => tagName.text === 'deprecated'),
      systems,
    });
  }

  /** The interface or class that declares a member; `App` is the type of `app`. */
  const ownerOf = (declaration: ts.Node): string => {
    const { parent } = declaration;
    const named =
      ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent) ? parent.name?.text : '';
    return named === 'App' ? 'app' : (named ?? '');
  };

  function addMember(node: ts.Node, declaration: ts.Declaration | undefined): void {
    if (declaration === undefined || !isElectrons(declaration)) return;
    const owner = ownerOf(declaration);
    const name = (declaration as ts.NamedDeclaration).name?.getText() ?? '';
    const isEvent = eventMethods.has(name);
    if (owner !== '' && !structures.has(owner) && (!isEvent || owner.startsWith('Ipc')))
      add(node, declaration, `${owner}.${name}`);
  }

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const declaration = checker.getResolvedSignature(node)?.getDeclaration();
      const [first] = node.arguments;
      if (
        eventMethods.has(node.expression.name.text) &&
        declaration !== undefined &&
        first !== undefined &&
        ts.isStringLiteral(first) &&
        isElectrons(declaration)
      )
        add(node, declaration, `${ownerOf(declaration)}:${first.text}`);
    }
    if (ts.isPropertyAccessExpression(node))
      addMember(node, checker.getSymbolAtLocation(node.name)?.declarations?.[0]);
    if (ts.isObjectBindingPattern(node)) {
      const type = checker.getTypeAtLocation(node);
      for (const element of node.elements) {
        const member = type.getProperty((element.propertyName ?? element.name).getText());
        addMember(element, member?.declarations?.[0]);
      }
    }
    if (ts.isObjectLiteralExpression(node)) {
      const given = checker.getContextualType(node);
      const type = given && checker.getNonNullableType(given);
      for (const property of node.properties) {
        const option = property.name && type?.getProperty(property.name.getText());
        for (const declaration of option?.declarations ?? []) {
          const owner = isElectrons(declaration) ? ownerOf(declaration) : '';
          if (optionTypes.has(owner)) add(property, declaration, `${owner}.${option?.name ?? ''}`);
        }
      }
    }
    ts.forEachChild(node, visit);
  }
  for (const file of program.getSourceFiles()) if (files.includes(file.fileName)) visit(file);
  return uses;
}
