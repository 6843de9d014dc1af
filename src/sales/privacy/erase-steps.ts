import type { Context, TxContext } from '../../context.ts'
import type { AuditRow } from '../../access/audit-rows.ts'
import { auditsToRedact, redactAudits } from '../../access/redact-audit.ts'
import { systemScope } from '../../access/scope.ts'
import { deleteInstall } from '../../licensing/installs/downgrade-install.ts'
import { cancelLicense } from '../../licensing/licenses/cancel-license.ts'
import { WORK_PLACE } from '../../licensing/activation/pending-activations.ts'
import { isSealed } from '../../lib/keyring.ts'
import { clearRows, OWN_ROWS, rowsToClear } from './own-rows.ts'
import { formsOf, withoutAddresses, withoutPerson, type Person } from './person.ts'
import {
  answersAfter,
  deleteEmptySites,
  deleteOptIns,
  eventsOf,
  forgetAnswers,
  forgetAnswersOf,
  installsAmong,
  installsToDelete,
  licensesToCancel,
  setEventData,
  waitingOptIns,
} from './queries.ts'
import { lookThrough, rewriteText, SCANNED_TEXTS } from './scanned-rows.ts'

/** Rows of a transaction: few of what others are done with, more of what stands for itself. */
const FEW = 25
const BATCH = 500
const AUDITS = 5_000

/** What a part of a step has done: the id at which the next part begins; `done`: nothing is left of the step; `early`: look again soon. */
type Progress = number | 'done' | 'early'

/** Does a part; what it writes, and how far it is, is one transaction. */
type Part = (write: (work: (tx: TxContext) => Promise<void>) => Promise<void>) => Promise<Progress>

/**
 * What the job does with one person, in this order. A part that was done finds nothing again, so that an erasure that was
 * broken off goes on where it was.
 */
export const STEPS: readonly ((ctx: Context, person: Person, after: number) => Part)[] = [
  cancelLicenses,
  redactLog,
  clearEvents,
  deleteInstalls,
  deleteWaiting,
  forgetEchoes,
  // Looked for beside the writes, as some are found by an address that no index has.
  ...OWN_ROWS.map((rows) => (ctx: Context, person: Person): Part => async (write) => {
    const keys = await rowsToClear(ctx.database.background, rows, { person, limit: BATCH })
    await write(({ db }) => clearRows(db, rows, { person, keys }))
    return keys.length === BATCH ? 0 : 'done'
  }),
  ...SCANNED_TEXTS.map((texts) => (ctx: Context, person: Person, after: number): Part => async (write) => {
    const forms = formsOf(person.addresses)
    const { rows, last } = await lookThrough(ctx.database.background, texts, { person, forms, after })
    await write(async ({ db }) => {
      for (const row of rows) {
        for (const column of texts.columns) {
          const before = row[column]
          const now = typeof before === 'string' ? withoutAddresses(before, forms) : null
          if (typeof before !== 'string' || now === null) continue
          await rewriteText(db, { table: texts.table, column, id: Number(row.id) }, { before, now })
        }
      }
    })
    return last ?? 'done'
  }),
]

function cancelLicenses(ctx: Context, { userId, developerId }: Person): Part {
  return async (write) => {
    const found = await licensesToCancel(ctx.db, userId, FEW)
    await write(async (tx) => {
      for (const { id, product_id: productId } of found)
        await cancelLicense(tx, systemScope({ developerId, productId }), id, {})
    })
    return found.length === FEW ? 0 : 'done'
  }
}

function redactLog(ctx: Context, person: Person, after: number): Part {
  return async (write) => {
    const { userId, developerId, addresses } = person
    const forms = formsOf(addresses)
    const db = ctx.database.background
    const isOwn = (row: AuditRow, installs: ReadonlySet<number>) =>
      row.actor_kind === 'install'
        ? installs.has(row.actor_id)
        : row.actor_kind === 'user' && row.actor_id === userId
    const { rows, last, isEarly } = await auditsToRedact(db, {
      developerId,
      after,
      limit: AUDITS,
      tells: async (found) => {
        const ids = found.flatMap(({ actor_kind: kind, actor_id: id }) => (kind === 'install' ? [id] : []))
        const installs = await installsAmong(db, userId, [...new Set(ids)])
        return found.map((row) => ({
          details: withoutAddresses(row.details, forms) !== null,
          ip: isOwn(row, installs),
        }))
      },
    })
    if (isEarly) return 'early'
    await write((tx) => redactAudits(tx, developerId, rows))
    return last ?? 'done'
  }
}

function clearEvents(ctx: Context, { userId, developerId }: Person, after: number): Part {
  return async (write) => {
    const found = await eventsOf(ctx.database.background, { userId, developerId, after, limit: BATCH })
    if (found.length === 0) return 'done'
    await write(async ({ db }) => {
      for (const { id, data } of found) {
        const kept = data === null ? null : withoutPerson(data)
        if (kept !== null && kept !== data) await setEventData(db, id, kept)
      }
      await forgetAnswers(
        db,
        found.map(({ id }) => id),
      )
    })
    return found.at(-1)?.id ?? 'done'
  }
}

function deleteInstalls(ctx: Context, { userId, developerId }: Person): Part {
  return async (write) => {
    const found = await installsToDelete(ctx.db, userId, FEW)
    await write(async (tx) => {
      for (const { id, product_id: productId } of found)
        await deleteInstall(tx, systemScope({ developerId, productId }), id)
      await deleteEmptySites(
        tx.db,
        found.map(({ site_id: id }) => id),
      )
    })
    return found.length === FEW ? 0 : 'done'
  }
}

/** Opt-ins with the address that nobody has followed the link of; what they say is sealed, so that each is opened. */
function deleteWaiting(ctx: Context, { developerId, addresses }: Person, after: number): Part {
  return async (write) => {
    const forms = formsOf(addresses)
    const found = await waitingOptIns(ctx.database.background, developerId, after, BATCH)
    const ids = found.flatMap(({ id, work }) =>
      withoutAddresses(ctx.keys.open(work, WORK_PLACE), forms) === null ? [] : [id],
    )
    await write(async ({ db }) => {
      if (ids.length > 0) await deleteOptIns(db, ids)
    })
    return found.length === BATCH ? (found.at(-1)?.id ?? 'done') : 'done'
  }
}

/** Answers of listeners that repeat the address, as of what has not the number of the user. */
function forgetEchoes(ctx: Context, { developerId, addresses }: Person, after: number): Part {
  return async (write) => {
    const forms = formsOf(addresses)
    const found = await answersAfter(ctx.database.background, developerId, after, BATCH)
    const ids = found.flatMap(({ id, answer }) => {
      const text = isSealed(answer) ? ctx.keys.open(answer, 'delivery_attempts.answer') : answer
      return withoutAddresses(text, forms) === null ? [] : [id]
    })
    await write(async ({ db }) => {
      if (ids.length > 0) await forgetAnswersOf(db, ids)
    })
    return found.length === BATCH ? (found.at(-1)?.id ?? 'done') : 'done'
  }
}
