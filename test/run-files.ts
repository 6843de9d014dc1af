/** Where tests stand that never open a database: they run once, all others once per engine. */
export const withoutDatabase = [
  'src/lib/',
  'src/archive/',
  'src/gateways/',
  'src/invoices/',
  'src/storage/',
  'src/tax/',
  'src/config.test.ts',
  'tools/',
  'src/cli/program.test.ts',
  'src/http/conditional.test.ts',
  'src/http/multipart.test.ts',
  'src/http/openapi-schema.test.ts',
  'src/http/reference-page.test.ts',
  'src/mail/folder.test.ts',
  'src/mail/render.test.ts',
  'src/mail/smtp.test.ts',
  'src/resources/coupons/evaluate.test.ts',
  'src/webhooks/',
  'test/contract.test.ts',
  'test/documents.test.ts',
  'test/events.test.ts',
  'test/license-files/',
  'test/openapi.test.ts',
  'test/run.test.ts',
  'test/postgres.test.ts',
]

/** What these prove is decided before the database is asked: they run on the embedded one alone. */
export const beforeDatabase = [
  'src/http/body.test.ts',
  'src/http/multipart-body.test.ts',
  'src/http/roles.test.ts',
  'test/security/bodies.test.ts',
  'test/security/headers.test.ts',
  'test/security/slow.test.ts',
  'test/security/smuggling.test.ts',
]

/** Files that run in a process of their own: they are long, start processes, or are about a process. */
export const alone = [
  'src/http/idempotency-crash.test.ts',
  'src/jobs/advance-sandboxes.test.ts',
  'src/resources/licenses/quota-race.test.ts',
  'test/main-job.test.ts',
  'test/model/',
  'test/security/access.test.ts',
  'test/security/bodies.test.ts',
  'test/security/data.test.ts',
  'test/security/foreign.test.ts',
  'test/security/injection.test.ts',
  'test/security/input.test.ts',
  'test/security/matrix.test.ts',
]

/** The same, of those that wait for processes, connections and clocks more than they work: they run beside the others. */
export const waiting = [
  'src/cli/',
  'src/db/away.postgres.test.ts',
  'src/flows/carts-crash.test.ts',
  'src/gateways/stripe/gateway.test.ts',
  'src/jobs/deliver-outages.test.ts',
  'src/jobs/worker.test.ts',
  'src/mail/smtp-delivery.test.ts',
  'src/mail/smtp.test.ts',
  'src/resources/events/stream.test.ts',
  'test/crash.test.ts',
  'test/license-files/',
  'test/postgres.test.ts',
  'test/run.test.ts',
  'test/security/slow.test.ts',
  'tools/',
]
