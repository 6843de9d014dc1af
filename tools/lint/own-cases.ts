export interface Case {
  /** What the rule says, as the test's name. */
  readonly rule: string
  readonly code: string
  /** Path → source; each of these files must be refused by `code`. */
  readonly bad: Record<string, string>
  /** Path → source; `code` must accept each of these files. */
  readonly good: Record<string, string>
}

const importing = (path: string, clause = '{ x }') => `import ${clause} from '${path}'\nvoid x`
const typesOf = (path: string) => `import type { X } from '${path}'\nexport type Y = X`

/** The rules of the plugin, which are the project's own. */
export const ownCases: readonly Case[] = [
  {
    rule: 'schemas are built with lib/type, which loads no library',
    code: 'keywright(schemas-by-type)',
    bad: {
      'src/people/users/a.ts': importing('typebox', '{ Type as x }'),
      'src/people/users/b.ts': typesOf('typebox'),
      'src/people/users/c.ts': "export const load = () => import('typebox/schema')",
      'src/lib/type.ts': importing('typebox/schema'),
      'src/http/checker.ts': importing('typebox'),
    },
    good: {
      'src/lib/type.ts': typesOf('typebox'),
      'src/http/checker.ts': typesOf('typebox/schema'),
      'src/lib/type.test.ts': importing('typebox', '{ Type as x }'),
      'src/people/users/a.ts': importing('../../lib/type.ts'),
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
      'src/sales/charges/a.ts': importing('../checkouts/settle-checkout.ts'),
      'src/demo/a.ts': typesOf('../sales/checkouts/schema.ts'),
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
      'src/jobs/b.ts': importing('../sales/checkouts/settle-purchases-job.ts'),
      'src/sales/charges/a.ts': importing('../checkouts/front/settle.ts'),
      'src/app.ts': importing('./people/operations.ts'),
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
      'src/licensing/operations.ts': importing('../people/users/routes.ts'),
      'src/app.ts': importing('./people/users/routes.ts'),
      'src/start.ts': importing('./people/operations.ts'),
    },
    good: {
      'src/people/users/schema.ts': importing('../../accounts/developers/schema.ts'),
      'src/people/users/queries.ts': importing('../../access/scope.ts'),
      'src/people/users/a-queries.ts': importing('./rules.ts'),
      'src/people/users/service.ts': importing('./queries.ts'),
      'src/people/users/routes.ts': importing('../proof/routes.ts'),
      'src/people/users/confirm-page.ts': importing('../../http/page.ts'),
      'src/people/operations.ts': importing('./users/confirm-page.ts'),
    },
  },
  {
    rule: 'a module serves operations, and mounts nothing beside them',
    code: 'keywright(served-by-operations)',
    bad: {
      'src/people/portal/routes.ts': "import type { FastifyInstance } from 'fastify'",
      'src/jobs/a.ts': "import Fastify from 'fastify'",
    },
    good: {
      'src/people/portal/routes.ts': "import type { FastifyReply, FastifyRequest } from 'fastify'",
      'src/http/server.ts': "import Fastify, { type FastifyInstance } from 'fastify'",
      'src/start.ts': "import type { FastifyInstance } from 'fastify'",
    },
  },
  {
    rule: 'a page imports types of schemas and entities, and nothing else of the server',
    code: 'keywright(pages-import-types)',
    bad: {
      'web/checkout/a.ts': "import type { Context } from '../../src/context.ts'",
      'web/checkout/b.ts': "import { Checkout } from '../../src/sales/checkouts/schema.ts'",
    },
    good: { 'web/checkout/a.ts': "import type { Checkout } from '../../src/sales/checkouts/schema.ts'" },
  },
  {
    rule: 'the queries of a folder are its own, but for its named parts',
    code: 'keywright(import-layers)',
    bad: {
      'src/licensing/licenses/a.ts': importing('../../people/users/queries.ts'),
      'src/licensing/licenses/b.ts': importing('../trials/trial-queries.ts'),
      'src/jobs/a.ts': typesOf('../mail/queries.ts'),
      'src/people/users/user-rows.ts': importing('./service.ts'),
    },
    good: {
      'src/licensing/licenses/a.ts': importing('../../people/users/user-rows.ts'),
      'src/licensing/licenses/b.ts': importing('./queries.ts'),
      'src/licensing/trials/trials.ts': importing('./trial-queries.ts'),
      'src/people/users/users.test.ts': importing('../../mail/queries.ts'),
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
      'src/people/users/user-rows.ts': importing('kysely'),
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
