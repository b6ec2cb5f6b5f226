// @ts-check
// What is linted: the scripts of pages, of the table and the player, the verifier, and their tests.

import js from '@eslint/js'
import globals from 'globals'

export default [
  {
    ignores: [
      // as others have published it
      'service/web/pages/static/htmx.js', 'replays/table/lit-html.js',
      '**/.venv/', '.api-tools/', 'data/', 'htmlcov/', 'screens/',
    ],
  },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { ecmaVersion: 2023, sourceType: 'module', globals: globals.browser },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
      'no-implicit-globals': 'error',
      'no-restricted-globals': ['error', { name: 'EventSource', message: 'Read streams by follow.js, which notices silence.' }],
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-unused-vars': ['error', { ignoreRestSiblings: true }],
    },
  },
  {
    files: ['replays/verify.mjs', 'tests/js/**', 'eslint.config.js'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
  {
    // one script with the player, which the report puts before it
    files: ['replays/report/page.js'],
    languageOptions: { globals: { foldtable: 'readonly' } },
  },
  {
    // run by tests in a page that has a table at `root`, and perhaps an open one
    files: ['tests/replays/table/asks.js'],
    languageOptions: { globals: { foldtable: 'readonly', opened: 'readonly', root: 'readonly' } },
  },
  {
    // these name control characters and lone surrogates on purpose
    files: ['replays/verify.mjs'],
    rules: { 'no-control-regex': 'off' },
  },
]
