import jsdoc from 'eslint-plugin-jsdoc';
import lit from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import noOnlyTests from 'eslint-plugin-no-only-tests';
import wc from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';
import { restrictedGlobals, restrictedProperties, roomRules } from './scripts/lint-rooms.mjs';

/** What reaches users or stands behind a door: documented, small, without default exports. */
const PRODUCT = ['src/**/*.ts', 'server/**/*.ts', 'demo/**/*.ts'];

export default tseslint.config(
  { ignores: ['dist/**', 'coverage/**', 'bench/results/**', 'test/fixtures/**', '.data/**'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'no-only-tests': noOnlyTests },
    rules: {
      // Lit's listeners are right as `@submit=${this.onSubmit}`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-only-tests/no-only-tests': 'error',
      'no-restricted-exports': [
        'error',
        {
          restrictDefaultExports: {
            direct: true,
            named: true,
            defaultFrom: true,
            namedFrom: true,
            namespaceFrom: true,
          },
        },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-lines': ['error', { max: 400 }],
      'max-params': ['error', { max: 6 }],
    },
  },
  {
    files: PRODUCT,
    plugins: { jsdoc },
    rules: {
      'no-console': 'error',
      'max-lines-per-function': [
        'error',
        { max: 60, skipBlankLines: true, skipComments: true, IIFEs: true },
      ],
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
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'AssignmentExpression > MemberExpression.left[property.name=/^(inner|outer)HTML$/]',
          message: 'No string of HTML: build nodes.',
        },
        {
          selector:
            'CallExpression[callee.property.name=/^(insertAdjacentHTML|setHTML|parseFromString|createContextualFragment)$/]',
          message: 'No string of HTML: build nodes.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/stream/environment.ts', 'src/stream/platform/**', 'src/internal/frames.ts'],
    rules: {
      'no-restricted-globals': ['error', ...restrictedGlobals],
      'no-restricted-properties': ['error', ...restrictedProperties],
    },
  },
  { files: ['src/internal/warn-once.ts'], rules: { 'no-console': 'off' } },
  { files: ['demo/main.ts'], rules: { 'no-console': 'off' } },
  ...roomRules,
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      // node:test and chai: a promise of `test()` is the runner's, an assertion may be a property.
      '@typescript-eslint/no-floating-promises': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
      'max-lines': ['error', { max: 500 }],
    },
  },
);
