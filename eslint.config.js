import tseslint from 'typescript-eslint'

/** Forbids imports whose path matches, with the reason that the reader of the failure needs. */
const forbid = (group, message) => ({ group, message })
const layer = (files, ...patterns) => ({
  files,
  rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
})
const noElectron = forbid(['electron', 'electron/*'], 'Only electron/app, electron/ipc and electron/preload may import electron: the core and the command run under plain Node.')

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', 'release/'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      'max-lines': ['error', 400],
      'no-restricted-syntax': [
        'error',
        { selector: "Property[key.name='shell'][value.value=true]", message: 'No shell: pass an argv array.' },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  layer(
    ['shared/**/*.ts'],
    noElectron,
    forbid(['node:*', 'fs', 'path', 'os', 'child_process'], 'shared knows neither Node nor the DOM.'),
    forbid(['**/electron/**', '**/renderer/**'], 'Imports run one way: nothing in shared may know who uses it.'),
  ),
  layer(
    ['electron/core/**/*.ts'],
    noElectron,
    forbid(['**/cli/**', '**/app/**', '**/ipc/**', '**/renderer/**'], 'The core does not know who calls it.'),
  ),
  layer(['electron/mcp/**/*.ts'], noElectron, forbid(['**/cli/**', '**/app/**', '**/ipc/**', '**/renderer/**'], 'The MCP server uses the core and shared only.')),
  layer(['electron/cli/**/*.ts'], noElectron, forbid(['**/app/**', '**/ipc/**', '**/renderer/**'], 'The command uses the core and shared only.')),
  { files: ['electron/core/!(process)/**/*.ts', 'electron/cli/**/*.ts'], ignores: ['**/*.test.ts'], rules: {
    'no-restricted-imports': ['error', { paths: ['execa', 'child_process', 'node:child_process'].map((name) => ({ name, message: 'One place runs processes: electron/core/process.' })) }],
  } },
  { files: ['**/*.test.ts'], ignores: ['**/*.mocked.test.ts'], rules: {
    'no-restricted-properties': ['error', { object: 'vi', property: 'mock', message: 'Files of unit tests share their modules: call it x.mocked.test.ts, which has its own.' }],
  } },
  { files: ['**/*.test.ts', 'e2e/**/*.ts'], rules: { '@typescript-eslint/no-restricted-imports': 'off' } },
)
