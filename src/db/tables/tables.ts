import type { AccessTokensTable, ApiTokensTable } from './tokens.ts'
import type { AuditLogTable } from './audit.ts'
import type { BillingTable } from './billing.ts'
import type { DevelopersTable, StoresTable } from './developers.ts'
import type { EventsTable } from './events.ts'
import type { IdempotencyKeysTable } from './idempotency.ts'
import type { JobsTable } from './jobs.ts'
import type { MailsTable } from './mails.ts'
import type { ProductsTable } from './products.ts'
import type { EmailConfirmationsTable, ProductUsersTable, UsersTable } from './users.ts'

/** Every table, one file a table or a pair that belongs together. */
export interface Tables {
  access_tokens: AccessTokensTable
  api_tokens: ApiTokensTable
  audit_log: AuditLogTable
  billing: BillingTable
  developers: DevelopersTable
  email_confirmations: EmailConfirmationsTable
  events: EventsTable
  idempotency_keys: IdempotencyKeysTable
  jobs: JobsTable
  mails: MailsTable
  product_users: ProductUsersTable
  products: ProductsTable
  stores: StoresTable
  users: UsersTable
}
