import type { Rule } from './rule.ts';
import { appRules } from './rulesApp.ts';
import { pageRules } from './rulesPage.ts';
import { systemRules } from './rulesSystem.ts';
import { windowRules } from './rulesWindow.ts';

/** Every rule of Electron that the shell relies on, in the order of the documentation. */
export const rules: readonly Rule[] = [...appRules, ...windowRules, ...pageRules, ...systemRules];
