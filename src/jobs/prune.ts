import { deleteOld, type OldRows } from '../db/delete-old.ts'
import { DAY, HOUR, MINUTE, SECOND, toUtcTime, type UtcTime } from '../lib/time.ts'
import { forgetOldMails } from '../mail/mail-rows.ts'
import { deleteUnpaidCheckouts } from '../sales/checkouts/front/pay.ts'
import { PICTURES_PATH } from '../lib/pictures.ts'
import { deleteLeftCarts } from '../sales/carts/left-cart-rows.ts'
import type { RecurringJob } from '../job.ts'
import { deleteUnusedPictures } from '../catalogue/pictures/unused-picture-rows.ts'
import { swept, type Sweep } from '../work/swept.ts'

const BATCH = 1000
const TOKENS_KEPT_MS = DAY
const LINKS_KEPT_MS = 30 * DAY
/** As long as they count. */
const FAILURES_KEPT_MS = HOUR
const ADDRESSES_KEPT_MS = 180 * DAY
const PICTURES_KEPT_MS = DAY
/** From when a row is tried again that failed: longer than that takes. */
const FAILED_KEPT_MS = DAY
const SKIPS_KEPT_MS = 30 * DAY
const REFUSALS_KEPT_MS = 30 * DAY
/** Far longer than their files. */
const EXPORTS_KEPT_MS = 30 * DAY
/** As long as the links in the mails about a cart work. */
const CARTS_KEPT_DAYS = 365
/** Of sites that never opted in. */
const REASONS_KEPT_MS = 365 * DAY

interface Broom {
  readonly rows: OldRows
  /** Up to when they go, in the form of their column. */
  until(now: number): number | UtcTime
}

/** The last text of a time before this one. */
const lastBefore = (ms: number) => toUtcTime(ms - SECOND)

const brooms: readonly Broom[] = [
  { rows: { table: 'idempotency_keys', key: ['id'], column: 'expires_at' }, until: (now) => now },
  {
    rows: { table: 'access_tokens', key: ['id'], column: 'expires_at' },
    until: (now) => lastBefore(now - TOKENS_KEPT_MS),
  },
  {
    rows: { table: 'email_confirmations', key: ['id'], column: 'expires_at' },
    until: (now) => lastBefore(now - LINKS_KEPT_MS),
  },
  {
    rows: { table: 'developer_email_changes', key: ['id'], column: 'expires_at' },
    until: (now) => lastBefore(now - LINKS_KEPT_MS),
  },
  {
    rows: { table: 'member_invitations', key: ['id'], column: 'expires_at' },
    until: (now) => lastBefore(now - LINKS_KEPT_MS),
  },
  {
    rows: { table: 'pending_activations', key: ['id'], column: 'expires_at' },
    until: (now) => lastBefore(now - LINKS_KEPT_MS),
  },
  {
    rows: { table: 'checkouts', key: ['id'], column: 'expires_at', state: 'paid' },
    until: (now) => lastBefore(now - LINKS_KEPT_MS),
  },
  {
    rows: { table: 'checkout_guards', key: ['name', 'email_folded'], column: 'until_ms' },
    until: (now) => now,
  },
  { rows: { table: 'former_keys', key: ['id'], column: 'until_ms' }, until: (now) => now },
  {
    rows: { table: 'failed_rows', key: ['id'], column: 'until_ms' },
    until: (now) => now - FAILED_KEPT_MS,
  },
  { rows: { table: 'mail_counts', key: ['name'], column: 'until_ms' }, until: (now) => now },
  {
    rows: { table: 'gateway_events', key: ['id'], column: 'created', without: 'due_at' },
    until: (now) => lastBefore(now - LINKS_KEPT_MS),
  },
  {
    rows: { table: 'skipped_sites', key: ['product_id', 'uid'], column: 'created' },
    until: (now) => lastBefore(now - SKIPS_KEPT_MS),
  },
  {
    rows: { table: 'uninstalls', key: ['id'], column: 'created', without: 'install_id' },
    until: (now) => lastBefore(now - REASONS_KEPT_MS),
  },
  {
    rows: { table: 'refusals', key: ['id'], column: 'last_at' },
    until: (now) => lastBefore(now - REFUSALS_KEPT_MS),
  },
  {
    rows: { table: 'bulks', key: ['id'], column: 'created' },
    until: (now) => lastBefore(now - EXPORTS_KEPT_MS),
  },
  {
    rows: { table: 'exports', key: ['id'], column: 'created' },
    until: (now) => lastBefore(now - EXPORTS_KEPT_MS),
  },
  { rows: { table: 'used_proofs', key: ['proof_hash'], column: 'expires_at' }, until: lastBefore },
  { rows: { table: 'sessions', key: ['id'], column: 'expires_at' }, until: (now) => now },
  {
    rows: { table: 'login_failures', key: ['key'], column: 'last_at' },
    until: (now) => now - FAILURES_KEPT_MS,
  },
  {
    rows: { table: 'login_addresses', key: ['person_id', 'address'], column: 'last_at' },
    until: (now) => now - ADDRESSES_KEPT_MS,
  },
]

const sweeps: readonly Sweep[] = [
  ...brooms.map(
    ({ rows, until }): Sweep =>
      ({ db }, now) =>
        deleteOld(db, rows, until(now), BATCH),
  ),
  ({ db }, now) => deleteUnpaidCheckouts(db, { until: lastBefore(now), limit: BATCH }),
  ({ db }, now) =>
    deleteUnusedPictures(db, {
      under: PICTURES_PATH,
      until: lastBefore(now - PICTURES_KEPT_MS),
      limit: BATCH,
    }),
  ({ db, config: { kept } }, now) => {
    const days = Math.max(kept.eventDays, CARTS_KEPT_DAYS)
    return deleteLeftCarts(db, { until: lastBefore(now - days * DAY), limit: BATCH })
  },
  ({ db }, now) => forgetOldMails(db, now, BATCH),
]

/**
 * Removes idempotency keys, sessions and counts of mails when they end, as unpaid checkouts unless a charge of theirs
 * is looked up still, access tokens a day, links, paid checkouts and reports of gateways 30 days later, skipped opt-
 * ins and what clients were refused exports and bulk actions after 30 days and why sites removed the product that never opted in after a year, carts that were never bought
 * when events are no longer kept and a year after the last visit at the earliest, failed logins when they no longer
 * count, the addresses of logins half a year after the last one, pictures that nothing shows a day after they were
 * uploaded, and what mails said when they are no longer kept.
 */
export const prune: RecurringJob = {
  kind: 'recurring',
  name: 'prune',
  everyMs: HOUR,
  leaseMs: MINUTE,
  run: (ctx, lease) => swept(ctx, lease, { sweeps, batch: BATCH }),
}
