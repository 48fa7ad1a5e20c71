import jsdoc from 'eslint-plugin-jsdoc';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';
import { platformRules } from './scripts/lint-platform.mjs';
import { moduleRules } from './scripts/lint-modules.mjs';

/** Code that runs in browsers, on servers and in the demo. */
const PRODUCT = ['src/**/*.ts', 'server/**/*.ts', 'demo/**/*.ts'];
const SCRIPTS = ['**/*.mjs'];

const NO_DEFAULT_EXPORT = {
  restrictDefaultExports: {
    direct: true,
    named: true,
    defaultFrom: true,
    namedFrom: true,
    namespaceFrom: true,
  },
};

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', '.cache/', '.data/', 'bench/results/', 'test/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  // The rules for all code, and those for tests, are in `.oxlintrc.json`.
  { files: ['**/*.ts'], extends: [tseslint.configs.base] },
  {
    // Oxlint does not check these apps, because their frameworks are not installed.
    files: ['integrations/**/*.ts'],
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-params': ['error', { max: 5 }],
    },
  },
  {
    files: PRODUCT,
    plugins: { jsdoc },
    rules: {
      'no-console': 'error',
      'no-restricted-exports': ['error', NO_DEFAULT_EXPORT],
      'jsdoc/require-jsdoc': [
        'error',
        {
          publicOnly: true,
          require: { ClassDeclaration: true, FunctionDeclaration: true, MethodDefinition: false },
          contexts: [
            'TSInterfaceDeclaration',
            'TSTypeAliasDeclaration',
            'ExportNamedDeclaration > VariableDeclaration',
          ],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    extends: [
      wc.configs['flat/recommended'],
      lit.configs['flat/recommended'],
      litA11y.configs.recommended,
    ],
  },
  ...platformRules,
  ...moduleRules,
  {
    files: ['src/dom/warn-once.ts', 'demo/main.ts', 'server/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  { files: SCRIPTS, rules: { eqeqeq: 'error' } },
);
