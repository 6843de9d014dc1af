// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'

const root = dirname(dirname(import.meta.dirname))

interface Case {
  /** What the rule says, as the test's name. */
  readonly rule: string
  readonly code: string
  /** Path → source; each of these files must be refused by `code`. */
  readonly bad: Record<string, string>
  /** Path → source; `code` must accept each of these files. */
  readonly good: Record<string, string>
}

const lines = (count: number, line = 'void 0') => Array.from({ length: count }, () => line).join('\n')
const importing = (path: string, clause = '{ x }') => `import ${clause} from '${path}'\nvoid x`
const typesOf = (path: string) => `import type { X } from '${path}'\nexport type Y = X`

const cases: readonly Case[] = [
  {
    rule: 'a file has at most 300 lines',
    code: 'eslint(max-lines)',
    bad: { 'src/lib/long.ts': lines(301) },
    good: { 'src/lib/long.ts': lines(300) },
  },
  {
    rule: 'a function has at most 60 lines',
    code: 'eslint(max-lines-per-function)',
    bad: { 'src/lib/body.ts': `export function f() {\n${lines(59)}\n}` },
    good: { 'src/lib/body.ts': `export function f() {\n${lines(58)}\n}` },
  },
  {
    rule: 'a function has at most 4 parameters',
    code: 'eslint(max-params)',
    bad: { 'src/lib/params.ts': 'export const f = (a, b, c, d, e) => [a, b, c, d, e]' },
    good: { 'src/lib/params.ts': 'export const f = (a, b, c, d) => [a, b, c, d]' },
  },
  {
    rule: 'blocks are nested at most 3 deep',
    code: 'eslint(max-depth)',
    bad: {
      'src/lib/deep.ts': 'export function f(a) { if (a) { if (a) { if (a) { if (a) return 1 } } } return 0 }',
    },
    good: { 'src/lib/deep.ts': 'export function f(a) { if (a) { if (a) { if (a) return 1 } } return 0 }' },
  },
  {
    rule: 'a function has at most 12 ways through it',
    code: 'eslint(complexity)',
    bad: { 'src/lib/ways.ts': `export const f = (a) => ${Array(13).fill('a').join(' || ')}` },
    good: { 'src/lib/ways.ts': `export const f = (a) => ${Array(12).fill('a').join(' || ')}` },
  },
  {
    rule: 'only the command line, the tools, the benchmarks and the test runner write to the console',
    code: 'eslint(no-console)',
    bad: { 'src/http/say.ts': 'console.log(1)', 'src/http/say.test.ts': 'console.log(1)' },
    good: Object.fromEntries(
      ['src/cli/a.ts', 'tools/a.ts', 'bench/a.ts', 'test/run.ts'].map((path) => [path, 'console.log(1)']),
    ),
  },
  {
    rule: 'no cycle of imports',
    code: 'import(no-cycle)',
    bad: {
      'src/lib/one.ts': "import { two } from './two.ts'\nexport const one = () => two",
      'src/lib/two.ts': "import { one } from './one.ts'\nexport const two = () => one",
    },
    good: {
      'src/lib/one.ts': "import { two } from './two.ts'\nexport const one = () => two",
      'src/lib/two.ts': 'export const two = 2',
    },
  },
  {
    rule: 'no default export',
    code: 'import(no-default-export)',
    bad: { 'src/lib/default.ts': 'export default 1' },
    good: { 'src/lib/default.ts': 'export const one = 1' },
  },
  {
    rule: 'no any',
    code: 'typescript(no-explicit-any)',
    bad: { 'src/lib/any.ts': 'export const f = (a: any) => a' },
    good: { 'src/lib/any.ts': 'export const f = (a: unknown) => a' },
  },
  {
    rule: 'no non-null assertion',
    code: 'typescript(no-non-null-assertion)',
    bad: { 'src/lib/bang.ts': 'export const f = (a: number | null) => a!.toFixed()' },
    good: { 'src/lib/bang.ts': 'export const f = (a: number | null) => a?.toFixed()' },
  },
  {
    rule: 'what is used as a type only is imported as one',
    code: 'typescript(consistent-type-imports)',
    bad: { 'src/lib/type.ts': "import { A } from './a.ts'\nexport type B = A" },
    good: { 'src/lib/type.ts': "import type { A } from './a.ts'\nexport type B = A" },
  },
  {
    rule: 'nothing is left to be done',
    code: 'eslint(no-warning-comments)',
    bad: { 'src/lib/left.ts': '// TODO later\nexport const one = 1' },
    good: { 'src/lib/left.ts': '// One, because nobody asked for two.\nexport const one = 1' },
  },
  {
    rule: 'the environment is read in src/config.ts alone',
    code: 'node(no-process-env)',
    bad: { 'src/http/env.ts': 'export const port = process.env.PORT' },
    good: Object.fromEntries(
      ['src/config.ts', 'src/http/env.test.ts', 'test/a.ts', 'tools/a.ts', 'bench/a.ts'].map((path) => [
        path,
        'export const port = process.env.PORT',
      ]),
    ),
  },
  {
    rule: 'time comes from a clock',
    code: 'keywright(no-system-time)',
    bad: {
      'src/http/new.ts': 'export const now = new Date()',
      'src/http/now.ts': 'export const now = Date.now()',
      'src/http/call.ts': 'export const now = Date()',
    },
    good: {
      'src/main.ts': 'export const now = new Date()',
      'src/lib/clock.ts': 'export const now = Date.now()',
      'src/http/now.test.ts': 'export const now = Date.now()',
      'src/http/parse.ts': 'export const parsed = [new Date(0), Date.UTC(2026, 0), Date.parse("2026-01-31")]',
    },
  },
  {
    rule: 'imports point down',
    code: 'keywright(import-layers)',
    bad: {
      'src/lib/a.ts': importing('../db/connect.ts'),
      'src/config.ts': importing('./context.ts'),
      'src/db/a.ts': importing('../access/scope.ts'),
      'src/context.ts': importing('./gateways/gateway.ts'),
      'src/gateways/test/a.ts': typesOf('../../people/users/schema.ts'),
      'src/mail/a.ts': importing('../people/users/queries.ts'),
      'src/http/a.ts': importing('../people/users/schema.ts'),
      'src/http/b.ts': "export { x } from '../sales/checkouts/pay-checkout.ts'",
      'src/http/c.ts': "export const load = () => import('../sales/checkouts/pay-checkout.ts')",
      'src/http/d.ts': "export type X = import('../sales/checkouts/pay-checkout.ts').X",
      'src/people/users/a.ts': importing('../../licensing/licenses/service.ts'),
      'src/people/users/b.ts': typesOf('../../licensing/licenses/schema.ts'),
      'src/licensing/licenses/a.ts': importing('../../sales/payments/service.ts'),
      'src/sales/checkouts/a.ts': importing('../../jobs/worker.ts'),
      'src/jobs/a.ts': importing('../app.ts'),
      'src/app.ts': importing('./main.ts'),
      'src/elsewhere/a.ts': importing('../lib/money.ts'),
      'src/cli/a.ts': importing('../../test/app.ts'),
    },
    good: {
      'src/lib/a.ts': importing('./money.ts'),
      'src/config.ts': importing('./lib/money.ts'),
      'src/db/a.ts': typesOf('../access/scope.ts'),
      'src/context.ts': typesOf('./gateways/gateway.ts'),
      'src/gateways/test/a.ts': importing('../gateway.ts'),
      'src/mail/a.ts': importing('../config.ts'),
      'src/http/a.ts': importing('../context.ts'),
      'src/licensing/licenses/a.ts': importing('../../people/users/service.ts'),
      'src/sales/checkouts/a.ts': importing('../../licensing/licenses/service.ts'),
      'src/people/users/users.test.ts': importing('../../../test/app.ts'),
      'src/jobs/a.ts': importing('../sales/renewals/renew.ts'),
      'src/app.ts': importing('./people/users/routes.ts'),
      'src/cli/a.ts': importing('../app.ts'),
      'src/cli/version.ts': importing('../../package.json'),
    },
  },
  {
    rule: 'what is called over HTTP stands above the rules, and these above the data',
    code: 'keywright(import-layers)',
    bad: {
      'src/people/users/schema.ts': importing('./service.ts'),
      'src/people/users/queries.ts': importing('./service.ts'),
      'src/people/users/a-queries.ts': importing('./routes.ts'),
      'src/people/users/service.ts': importing('./routes.ts'),
      'src/licensing/licenses/a.ts': importing('../../people/users/routes.ts'),
      'src/licensing/licenses/b.ts': importing('../../people/proof/confirm-page.ts'),
    },
    good: {
      'src/people/users/schema.ts': importing('../../accounts/developers/schema.ts'),
      'src/people/users/queries.ts': importing('../../access/scope.ts'),
      'src/people/users/a-queries.ts': importing('./rules.ts'),
      'src/people/users/service.ts': importing('./queries.ts'),
      'src/people/users/routes.ts': importing('../proof/routes.ts'),
      'src/people/users/confirm-page.ts': importing('../../http/page.ts'),
      'src/start.ts': importing('./people/users/confirm-page.ts'),
    },
  },
  {
    rule: 'queries stand in their own files',
    code: 'keywright(queries-in-their-files)',
    bad: {
      'src/people/users/service.ts': importing('kysely'),
      'src/people/users/schema.ts': importing('kysely'),
      'src/http/a.ts': typesOf('kysely'),
      'src/sales/carts/a.ts': "export const f = (db) => db.insertInto('users')",
    },
    good: {
      'src/people/users/queries.ts': importing('kysely'),
      'src/people/users/schema.ts': typesOf('kysely'),
      'src/http/token-queries.ts': "export const f = (db) => db.insertInto('users')",
      'src/db/a.ts': importing('kysely'),
      'src/http/a.test.ts': importing('kysely'),
    },
  },
  {
    rule: 'a query starts from its scope, or says why it has none',
    code: 'keywright(scoped-queries)',
    bad: {
      'src/people/users/select-queries.ts': "export const f = (db) => db.selectFrom('users')",
      'src/people/users/update-queries.ts': "export const f = (db) => db.updateTable('users')",
      'src/people/users/delete-queries.ts': "export const f = (db) => db['deleteFrom']('users')",
      'src/people/users/reason-queries.ts': "export const f = (db) => unscoped(db, '').selectFrom('users')",
      'src/people/users/none-queries.ts': "export const f = (db) => unscoped(db).selectFrom('users')",
      'src/people/users/other-queries.ts': "export const f = (db) => other(db, 'x').selectFrom('users')",
      'src/jobs/queries.ts': "export const f = (db) => db.selectFrom('users')",
      'src/http/a-queries.ts': "export const f = (db) => db.selectFrom('users')",
      'src/cli/a-queries.ts': "export const f = (db) => db.selectFrom('users')",
    },
    good: {
      'src/people/users/queries.ts': "export const f = (db, scope) => scoped(db, 'users', scope).select()",
      'src/people/users/a-queries.ts': "export const f = (db) => unscoped(db, 'why').selectFrom('users')",
      'src/people/users/b-queries.ts':
        "export const f = (db) => unscoped(db, WHY).with('a', a).selectFrom('a')",
      'src/people/users/c-queries.ts': "export const f = (db) => db.insertInto('users')",
      'src/people/users/d-queries.ts':
        "export const f = (query) => query.where((eb) => eb.exists(eb.selectFrom('users')))",
      'src/people/users/users.test.ts': "export const f = (db) => db.selectFrom('users')",
      'src/db/bought.ts': "export const f = (db) => db.selectFrom('users')",
    },
  },
  {
    rule: 'what differs between the databases stands in src/db alone',
    code: 'keywright(no-dialect)',
    bad: {
      'src/http/a.ts': importing('node:sqlite'),
      'src/cli/a.ts': importing('pg'),
      'src/http/a-queries.ts': 'export const f = () => sql`pragma user_version`',
      'src/http/b-queries.ts': 'export const f = () => sql<string>`select id::text from users for update`',
      'src/http/b.ts': "export const f = (database) => database.engine === 'postgres'",
      'src/http/c.ts': "export function f(engine) { switch (engine) { case 'sqlite': return 1 } return 2 }",
    },
    good: {
      'src/db/sqlite.ts': importing('node:sqlite'),
      'src/db/migrate.ts': 'export const f = () => sql`pragma user_version`',
      'src/http/a-queries.ts': 'export const f = (id) => sql`lower(name) = ${id}`',
      'src/config.ts': "export const f = (engine) => engine === 'postgres'",
      'src/http/a.test.ts': importing('pg'),
      'test/postgres.ts': importing('pg'),
      'bench/run.ts': importing('pg'),
    },
  },
]

for (const { rule, code, bad, good } of cases) {
  test(rule, async (t) => {
    const [refused, accepted] = await Promise.all([lint(t, code, bad), lint(t, code, good)])
    assert.deepEqual(refused, Object.keys(bad).toSorted())
    assert.deepEqual(accepted, [])
  })
}

/** The files that the project's own configuration refuses by the rule `code`, in a project of these files alone. */
async function lint(t: TestContext, code: string, files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'keywright-lint-'))
  t.after(() => rm(folder, { recursive: true }))
  const config = await readFile(join(root, '.oxlintrc.json'), 'utf8')
  await writeFile(join(folder, '.oxlintrc.json'), config.replaceAll('"./tools/', `"${root}/tools/`))
  for (const [path, source] of Object.entries(files)) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), source)
  }
  const { diagnostics } = await runOxlint(folder)
  const found = diagnostics.filter((diagnostic) => diagnostic.code === code)
  return [...new Set(found.map(({ filename }) => filename))].toSorted()
}

interface Output {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[]
}

async function runOxlint(cwd: string): Promise<Output> {
  const oxlint = spawn(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return (await json(oxlint.stdout)) as Output
}
