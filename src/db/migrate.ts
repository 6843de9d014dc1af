import { sql } from 'kysely'
import type { Database, Engine, Writer } from './database.ts'
import { migrationLock, tableExists } from './dialect.ts'
import * as init from './migrations/0001-init.ts'
import * as products from './migrations/0002-products.ts'
import * as plans from './migrations/0003-plans.ts'
import * as coupons from './migrations/0004-coupons.ts'
import * as reviews from './migrations/0005-reviews.ts'
import * as accounts from './migrations/0006-accounts.ts'
import * as listMarks from './migrations/0007-list-marks.ts'
import * as teamInvitations from './migrations/0008-team-invitations.ts'
import * as licenses from './migrations/0009-licenses.ts'
import * as licenseKeys from './migrations/0010-license-keys.ts'
import * as payments from './migrations/0011-payments.ts'
import * as carts from './migrations/0012-carts.ts'
import * as invoices from './migrations/0013-invoices.ts'
import * as checkouts from './migrations/0014-checkouts.ts'
import * as checkoutChanges from './migrations/0015-checkout-changes.ts'
import * as checkoutTrials from './migrations/0016-checkout-trials.ts'
import * as reports from './migrations/0017-reports.ts'
import * as figures from './migrations/0018-figures.ts'
import * as webhooks from './migrations/0019-webhooks.ts'
import * as deployments from './migrations/0020-deployments.ts'
import * as mails from './migrations/0021-mails.ts'
import * as eventThings from './migrations/0022-event-things.ts'
import * as emailChanges from './migrations/0023-email-changes.ts'
import * as listenerRights from './migrations/0024-listener-rights.ts'
import * as salesOfInstalls from './migrations/0025-sales-of-installs.ts'
import * as auditTokens from './migrations/0026-audit-tokens.ts'
import * as lateRenewals from './migrations/0027-late-renewals.ts'
import * as paidElsewhere from './migrations/0028-paid-elsewhere.ts'
import * as mailCounts from './migrations/0029-mail-counts.ts'
import * as userKeys from './migrations/0030-user-keys.ts'
import * as sandboxLimits from './migrations/0031-sandbox-limits.ts'
import * as onePrice from './migrations/0032-one-price.ts'
import * as broughtLicenses from './migrations/0033-brought-licenses.ts'
import * as cartRecovery from './migrations/0034-cart-recovery.ts'
import * as formerKeys from './migrations/0035-former-keys.ts'
import * as keptInvoices from './migrations/0036-kept-invoices.ts'
import * as failedRows from './migrations/0037-failed-rows.ts'
import * as confirmedOptIns from './migrations/0038-confirmed-opt-ins.ts'
import * as refundRight from './migrations/0039-refund-right.ts'
import * as accountEvents from './migrations/0040-account-events.ts'
import * as foreignKeyIndexes from './migrations/0041-foreign-key-indexes.ts'
import * as namedElsewhere from './migrations/0042-paid-elsewhere.ts'
import * as rowsOfStrangers from './migrations/0043-rows-of-strangers.ts'
import * as triedSites from './migrations/0044-tried-sites.ts'
import * as namedById from './migrations/0045-named-by-id.ts'
import * as unprovenPurchases from './migrations/0046-unproven-purchases.ts'
import * as cartsOfVisitors from './migrations/0047-carts-of-visitors.ts'
import * as unprovenRedemptions from './migrations/0048-unproven-redemptions.ts'
import * as keptMethods from './migrations/0049-kept-methods.ts'
import * as owedRefunds from './migrations/0050-owed-refunds.ts'
import * as demos from './migrations/0051-demos.ts'
import * as trialsByKey from './migrations/0052-trials-by-key.ts'
import * as owedAgain from './migrations/0053-owed-again.ts'
import * as replacedCoupons from './migrations/0054-replaced-coupons.ts'
import * as portalTokens from './migrations/0055-portal-tokens.ts'
import * as chargeTokens from './migrations/0056-charge-tokens.ts'
import * as checkoutPages from './migrations/0057-checkout-pages.ts'
import * as newBuyers from './migrations/0058-new-buyers.ts'
import * as sandboxCounts from './migrations/0059-sandbox-counts.ts'
import * as addonKeys from './migrations/0060-addon-keys.ts'
import * as chargesLetGo from './migrations/0061-charges-let-go.ts'
import * as checkoutsOfInstalls from './migrations/0062-checkouts-of-installs.ts'
import * as updatedSites from './migrations/0063-updated-sites.ts'
import * as proofsOfKeys from './migrations/0064-proofs-of-keys.ts'
import * as sdkOfInstalls from './migrations/0065-sdk-of-installs.ts'
import * as movedSites from './migrations/0066-moved-sites.ts'
import * as sealedAnswers from './migrations/0067-sealed-answers.ts'
import * as pagesOfCheckouts from './migrations/0068-pages-of-checkouts.ts'
import * as consents from './migrations/0069-consents.ts'
import * as teamsOfAPerson from './migrations/0070-teams-of-a-person.ts'
import * as listsOfSandbox from './migrations/0071-lists-of-sandbox.ts'
import * as overviewCounts from './migrations/0072-overview.ts'
import * as developerTokens from './migrations/0073-developer-tokens.ts'
import * as sessionsSeen from './migrations/0074-sessions-seen.ts'
import * as auditOfAccount from './migrations/0075-audit-of-account.ts'
import * as listsByState from './migrations/0076-lists-by-state.ts'
import * as refusals from './migrations/0077-refusals.ts'
import * as counts from './migrations/0078-counts.ts'
import * as resumedSubscriptions from './migrations/0079-resumed-subscriptions.ts'
import * as linksUsedAgain from './migrations/0080-links-used-again.ts'
import * as erasures from './migrations/0081-erasures.ts'
import * as mailTexts from './migrations/0082-mail-texts.ts'
import * as exportsOfLists from './migrations/0083-exports.ts'
import * as bulks from './migrations/0084-bulks.ts'
import * as timelines from './migrations/0085-timelines.ts'
import * as mailsByEnvironment from './migrations/0088-mails-by-environment.ts'
import * as sitesOfLicense from './migrations/0093-sites-of-license.ts'
import * as portalOfProducts from './migrations/0094-portal-of-products.ts'
import * as imports from './migrations/0095-imports.ts'
import * as languageOfUsers from './migrations/0096-language-of-users.ts'
import * as companyAtCheckout from './migrations/0097-company-at-checkout.ts'
import * as importJobs from './migrations/0098-import-jobs.ts'
import * as addresses from './migrations/0099-addresses.ts'
import * as methodsOfImports from './migrations/0100-methods-of-imports.ts'
import * as deliveriesOfProduct from './migrations/0101-deliveries-of-product.ts'
import * as accountExports from './migrations/0102-account-exports.ts'
import * as listsByTime from './migrations/0103-lists-by-time.ts'
import * as mailsByTime from './migrations/0104-mails-by-time.ts'
import * as choicesOfDevelopers from './migrations/0105-choices-of-developers.ts'

export interface Migration {
  up(db: Writer, engine: Engine): Promise<void>
}

/** Numbered by place, forward only; a migration that has landed is never changed (`docs/decisions.md` 4.5). */
const migrations: readonly Migration[] = [
  init,
  products,
  plans,
  coupons,
  reviews,
  accounts,
  listMarks,
  teamInvitations,
  licenses,
  licenseKeys,
  payments,
  carts,
  invoices,
  checkouts,
  checkoutChanges,
  checkoutTrials,
  reports,
  figures,
  webhooks,
  deployments,
  mails,
  eventThings,
  emailChanges,
  listenerRights,
  salesOfInstalls,
  auditTokens,
  lateRenewals,
  paidElsewhere,
  mailCounts,
  userKeys,
  sandboxLimits,
  onePrice,
  broughtLicenses,
  cartRecovery,
  formerKeys,
  keptInvoices,
  failedRows,
  confirmedOptIns,
  refundRight,
  accountEvents,
  foreignKeyIndexes,
  namedElsewhere,
  rowsOfStrangers,
  triedSites,
  namedById,
  unprovenPurchases,
  cartsOfVisitors,
  unprovenRedemptions,
  keptMethods,
  owedRefunds,
  demos,
  trialsByKey,
  owedAgain,
  replacedCoupons,
  portalTokens,
  chargeTokens,
  checkoutPages,
  newBuyers,
  sandboxCounts,
  addonKeys,
  chargesLetGo,
  checkoutsOfInstalls,
  updatedSites,
  proofsOfKeys,
  sdkOfInstalls,
  movedSites,
  sealedAnswers,
  pagesOfCheckouts,
  consents,
  teamsOfAPerson,
  listsOfSandbox,
  overviewCounts,
  developerTokens,
  sessionsSeen,
  auditOfAccount,
  listsByState,
  refusals,
  counts,
  resumedSubscriptions,
  linksUsedAgain,
  erasures,
  mailTexts,
  exportsOfLists,
  bulks,
  timelines,
  mailsByEnvironment,
  sitesOfLicense,
  portalOfProducts,
  imports,
  languageOfUsers,
  companyAtCheckout,
  importJobs,
  addresses,
  methodsOfImports,
  deliveriesOfProduct,
  accountExports,
  listsByTime,
  mailsByTime,
  choicesOfDevelopers,
]

/** The schema that this version of the code works with. */
export const LATEST_SCHEMA = migrations.length

/** The database was written by a later version of the code. */
export class DatabaseTooNew extends Error {}

/**
 * Runs what is missing, all under one lock in one transaction, so that two processes that start at
 * once do it once, and one that is interrupted leaves nothing. Returns how many ran. An earlier schema than the
 * latest is for who tries an upgrade.
 */
export async function migrate(database: Database, schema = LATEST_SCHEMA): Promise<number> {
  // A start beside processes that write, or after one that was killed, waits for no lock.
  if ((await schemaVersion(database)) === schema) return 0
  return database.transaction(async (db) => {
    const lock = migrationLock(database.engine)
    if (lock) await sql`${lock}`.execute(db)
    const version = await versionOf(db, database.engine)
    if (version > migrations.length) {
      throw new DatabaseTooNew(
        `The database is at schema ${version}, this version of Keywright knows ${migrations.length}: start a later version.`,
      )
    }
    if (version >= schema) return 0
    for (const migration of migrations.slice(version, schema)) await migration.up(db, database.engine)
    await sql`update schema_version set version = ${schema}`.execute(db)
    return schema - version
  })
}

/** The schema's number, 0 when there is none. */
export async function schemaVersion(database: Database): Promise<number> {
  const { rows } = await sql<{ found: number }>`${tableExists(database.engine, 'schema_version')}`.execute(
    database.reader as Writer,
  )
  if (!rows[0]?.found) return 0
  const version = await sql<{ version: number }>`select version from schema_version`.execute(
    database.reader as Writer,
  )
  return version.rows[0]?.version ?? 0
}

async function versionOf(db: Writer, engine: Engine): Promise<number> {
  const { rows } = await sql<{ found: number }>`${tableExists(engine, 'schema_version')}`.execute(db)
  if (!rows[0]?.found) {
    await sql`create table schema_version (version integer not null)`.execute(db)
    await sql`insert into schema_version (version) values (0)`.execute(db)
    return 0
  }
  const version = await sql<{ version: number }>`select version from schema_version`.execute(db)
  return version.rows[0]?.version ?? 0
}
