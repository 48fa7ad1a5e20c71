import jsdoc from 'eslint-plugin-jsdoc';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import noOnlyTests from 'eslint-plugin-no-only-tests';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';
import { platformRules } from './scripts/lint-platform.mjs';
import { roomRules } from './scripts/lint-rooms.mjs';

/** What reaches users or stands behind a door. */
const PRODUCT = ['src/**/*.ts', 'server/**/*.ts', 'demo/**/*.ts'];
const TESTS = ['test/**/*.ts', 'bench/**/*.ts'];
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
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A listener in a template is right as `@submit=${this.onSubmit}`: Lit binds it.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
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
  ...roomRules,
  {
    files: ['src/internal/warn-once.ts', 'demo/main.ts', 'server/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: TESTS,
    plugins: { 'no-only-tests': noOnlyTests },
    rules: {
      'no-only-tests/no-only-tests': 'error',
      // A promise of node:test's `test()` is the runner's; an assertion of chai may be a property.
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  { files: SCRIPTS, rules: { eqeqeq: 'error' } },
);
