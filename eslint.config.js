import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

// One window factory, one registrar, one way out to the system's browser: nothing else may reach for them.
const electronOnly = [
  {
    selector: "NewExpression[callee.name='BrowserWindow']",
    message: 'Windows are made in hosts/electron/createWindow.ts only.',
  },
  {
    selector: "MemberExpression[object.name='ipcMain']",
    message: 'Messages are registered in hosts/electron/ipc.ts only.',
  },
  {
    selector: "MemberExpression[property.name='openExternal']",
    message: 'Links leave through hosts/electron/security.ts only.',
  },
];
const sleepInTests = [
  {
    selector: "CallExpression[callee.name='setTimeout']",
    message: 'Tests await events; they do not sleep.',
  },
  {
    selector: "CallExpression[callee.property.name='waitForTimeout']",
    message: 'Tests await events; they do not sleep.',
  },
];

export default tseslint.config(
  { ignores: ['node_modules', 'out', 'dist', 'test-results', 'playwright-report', 'datasets'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.main.json', './tsconfig.renderer.json', './tsconfig.e2e.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: false, skipComments: false }],
      'no-restricted-syntax': ['error', ...electronOnly],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      'no-console': 'error',
    },
  },
  {
    files: ['src-renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  {
    files: ['src-main/hosts/electron/{createWindow,ipc,security}.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', 'e2e/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...electronOnly, ...sleepInTests],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
    },
  },
  {
    files: ['bench/**/*.ts', 'scripts/**/*.ts', 'src-main/hosts/cli/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
);
