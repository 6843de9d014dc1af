import { batched } from '../db/batched.ts'
import { preparedListFor } from '../db/prepared-list.ts'
import type { Selectable } from 'kysely'
import { anyToClaim, held } from '../db/claim.ts'
import type { Reader, Writer } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { ofProduct, scoped, unscoped } from '../db/scoped.ts'
import type { MailsTable } from '../db/tables/mails.ts'
import { HOUR } from '../lib/time.ts'
import { HELPERS, type Helpers } from './answers.ts'
import type { MailAddress } from './message.ts'

const ALL = 'the outbox is that of the server'

export type MailRow = Selectable<MailsTable>

export interface About {
  readonly product: string
  readonly icon: string | null
  readonly sender: MailAddress | null
  readonly helpers: Helpers
  /** As the person's last install says it; null: none does. */
  readonly language: string | null
  /** The own texts of the product as they are stored (`own-texts.ts`); null: it has none. */
  readonly ownTexts: string | null
}

const HELPER_COLUMNS = HELPERS.flatMap((helper) => [helper, `${helper}_name`] as const)

const aboutProduct = prepared((db, { productId, userId }: { productId: number; userId: number }) =>
  unscoped(db, 'the product that a mail is about')
    .selectFrom('products')
    .leftJoin('email_addresses as own', 'own.product_id', 'products.id')
    .innerJoin('stores', (join) =>
      join.on((on) => on('stores.id', '=', on.fn.coalesce('own.store_id', 'products.store_id'))),
    )
    .leftJoin('email_addresses as inherited', (join) =>
      join.onRef('inherited.store_id', '=', 'stores.id').on('inherited.product_id', 'is', null),
    )
    .leftJoin('own_mail_texts', 'own_mail_texts.product_id', 'products.id')
    .select(({ fn, selectFrom }) => [
      'products.title',
      'own_mail_texts.texts as own_texts',
      'products.icon',
      'stores.title as store',
      fn.coalesce('own.dont_reply', 'inherited.dont_reply').as('dont_reply'),
      fn.coalesce('own.dont_reply_name', 'inherited.dont_reply_name').as('dont_reply_name'),
      fn.coalesce('own.general', 'inherited.general').as('general'),
      fn.coalesce('own.general_name', 'inherited.general_name').as('general_name'),
      ...HELPER_COLUMNS.map((column) => fn.coalesce(`own.${column}`, `inherited.${column}`).as(column)),
      fn
        .coalesce(
          selectFrom('users').select('users.language').where('users.id', '=', userId),
          selectFrom('installs')
            .select('installs.language')
            .where('installs.user_id', '=', userId)
            .where('installs.product_id', '=', productId)
            .orderBy('installs.id', 'desc')
            .limit(1),
        )
        .as('language'),
    ])
    .where('products.id', '=', productId),
)

/**
 * What a mail shows of its product, who reads answers, and who it comes from that wants none: `dont_reply`, else `general`, each
 * column of the product or else of the store whose addresses it inherits, and without a name that of the store; null when neither
 * has any. Undefined for a mail about no product.
 */
export async function findAbout(
  db: Reader,
  { productId, userId }: { readonly productId: number | null; readonly userId: number | null },
): Promise<About | undefined> {
  if (productId === null) return undefined
  const found = await aboutOne(db, { productId, userId: userId ?? 0 })
  return (
    found && {
      product: found.title,
      icon: found.icon,
      language: found.language,
      ownTexts: found.own_texts,
      sender: senderOf(found),
      helpers: helpersOf(found),
    }
  )
}

interface Person {
  readonly productId: number
  readonly userId: number
}
type AboutRow = Awaited<ReturnType<typeof aboutProduct>>[number]

const languagesOf = preparedListFor((db, owner, userIds) =>
  unscoped(db, 'who mails of a product go to')
    .selectFrom('users')
    .select((eb) => [
      'users.id',
      eb.fn
        .coalesce(
          'users.language',
          scoped(db, 'installs', owner)
            .select()
            .select('installs.language')
            .where('installs.user_id', '=', eb.ref('users.id'))
            .orderBy('installs.id', 'desc')
            .limit(1),
        )
        .as('language'),
    ])
    .where('users.id', 'in', userIds),
)

/** The product is the same to each of its users but for the language. */
const aboutOne = batched({
  alike: ({ productId }: Person) => String(productId),
  async one(db: Reader, person): Promise<AboutRow | undefined> {
    const [found] = await aboutProduct(db, person)
    return found
  },
  async many(db, people) {
    const [first] = people
    const [found] = first ? await aboutProduct(db, first) : []
    const others = found && people.slice(1).map(({ userId }) => userId)
    if (!first || !others) return people.map(() => found)
    const rows = await languagesOf(db, ofProduct(first.productId), others)
    const languages = new Map(rows.map(({ id, language }) => [id, language]))
    return people.map(({ userId }, n) =>
      n === 0 ? found : { ...found, language: languages.get(userId) ?? null },
    )
  },
})

interface SenderColumns {
  readonly store: string
  readonly dont_reply: string | null
  readonly dont_reply_name: string | null
  readonly general: string | null
  readonly general_name: string | null
}

function senderOf({ store, general, general_name, ...found }: SenderColumns): MailAddress | null {
  const name = general_name || store
  if (found.dont_reply !== null) return { address: found.dont_reply, name: found.dont_reply_name || name }
  return general === null ? null : { address: general, name }
}

type HelperColumns = Readonly<Record<(typeof HELPER_COLUMNS)[number], string | null>>

/** Each that has an address; without a name it has that of the store. */
const helpersOf = (found: HelperColumns & { readonly store: string }): Helpers =>
  Object.fromEntries(
    HELPERS.map((helper) => {
      const address = found[helper]
      return [helper, address === null ? null : { address, name: found[`${helper}_name`] || found.store }]
    }),
  ) as Helpers

/** The farthest ahead that a mail is due or held: its last retry. */
export const WITHIN_MS = 5 * HOUR

export const anyDueMail = (db: Reader, now: number): Promise<boolean> =>
  anyToClaim(db, 'mails', { now, withinMs: WITHIN_MS })

/** Changes a claimed mail; false when another holder has it now. */
export const updateMail = (
  db: Writer,
  row: MailRow,
  change: Partial<Omit<MailRow, 'id' | 'fence'>>,
): Promise<boolean> => held(db, 'mails', row, change)

/** What a mail is set to that is to be sent again. */
export const again = (now: number) =>
  ({ state: 'pending', attempts: 0, due_at: now, failing_since: null, keep_until: null }) as const

/** Makes a mail due that was given up or waits; false when it was sent, or its content is no longer kept. */
export async function retryMail(db: Writer, id: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await unscoped(db, ALL)
    .updateTable('mails')
    .set(again(now))
    .where('id', '=', id)
    .where('content', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Up to `limit` mails that were given up and still have their content, the earliest first. */
const keptMails = (db: Writer, limit: number) =>
  unscoped(db, ALL)
    .selectFrom('mails')
    .select('id')
    .where('keep_until', 'is not', null)
    .orderBy('keep_until')
    .limit(limit)

/** Makes up to `limit` of the mails due that were given up; returns how many. */
export async function retryFailedMails(db: Writer, now: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await unscoped(db, ALL)
    .updateTable('mails')
    .set(again(now))
    .where('id', 'in', keptMails(db, limit))
    .where('keep_until', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Forgets what up to `limit` mails said that were given up long enough ago; returns how many. */
export async function forgetOldMails(db: Writer, now: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await unscoped(db, ALL)
    .updateTable('mails')
    .set({ content: null, keep_until: null })
    .where('id', 'in', keptMails(db, limit).where('keep_until', '<=', now))
    .where('keep_until', '<=', now)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
