#!/usr/bin/env node
// Parsed by whatever Node is there, so nothing is imported before its version is known to be new enough.
const HANDED_OVER = '--title=keywright'
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 7)) {
  start()
} else {
  withOwnNode()
}

/** The Node that npm ci has brought, whichever is on the path, as after npm link. */
function withOwnNode() {
  Promise.all([import('node:child_process'), import('node:fs'), import('node:url')])
    .then(([{ spawn }, { existsSync }, { fileURLToPath }]) => {
      const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
      // The same Node would hand over to itself for ever.
      if (process.platform === 'win32' || !existsSync(own) || process.execArgv.includes(HANDED_OVER))
        return refuse()
      const child = spawn(own, [HANDED_OVER, fileURLToPath(import.meta.url)].concat(process.argv.slice(2)), {
        stdio: 'inherit',
      })
      process.on('SIGTERM', () => child.kill('SIGTERM'))
      // A terminal sends it to both.
      process.on('SIGINT', () => {})
      child.on('error', refuse).on('exit', (code) => {
        process.exitCode = code === null ? 1 : code
      })
    })
    .catch(refuse)
}

function refuse() {
  process.stderr.write(
    'Keywright needs Node.js 24.7 or later, and this is ' +
      process.versions.node +
      ': "npm ci" in its folder brings one, which "npm start" and "npm run keywright" use.\n',
  )
  process.exitCode = 1
}

function start() {
  quietSqliteWarning()
  // Those that stay.
  const isServer = process.argv[2] === 'serve' || process.argv[2] === 'worker'
  Promise.resolve(isServer && import('./start-anew.js').then(({ startAnew }) => startAnew()))
    .then(() => Promise.all([import('node:module'), import('./quick-modules.js')]))
    .then(([{ enableCompileCache }]) => {
      // In a folder that only who installed Keywright can write; without one it starts more slowly.
      enableCompileCache(import.meta.dirname + '/../node_modules/.cache/keywright')
      return import('../src/main.ts')
    })
    .catch((error) => {
      process.stderr.write(error.stack + '\n')
      process.exitCode = 1
    })
}

/** Node says at each start that its SQLite is experimental. */
function quietSqliteWarning() {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (String(warning).startsWith('SQLite is an experimental feature')) return
    Reflect.apply(emitWarning, process, [warning, ...rest])
  }
}
