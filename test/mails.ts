import { transaction, type TxContext } from '../src/context.ts'
import { CONTENT_PLACE, queueMail } from '../src/mail/outbox.ts'
import { DAY } from '../src/lib/time.ts'
import type { TestApp, TestContext } from './app.ts'

/** Puts mails with a secret link into the outbox, each for a reader of its own. */
export const queueMails = (ctx: TestContext, count = 1): Promise<void> =>
  transaction(ctx, async (tx) => {
    for (let n = 1; n <= count; n++) {
      await queueMail(tx, {
        developerId: 1,
        productId: null,
        userId: null,
        recipient: `reader${n}@example.com`,
        template: 'confirm_email',
        name: 'Reader',
        values: { link: 'http://keywright.test/secret-link' },
      })
    }
  })

interface SentMail {
  readonly kind: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly unsubscribe?: string
  /** The payment whose invoice is attached. */
  readonly invoiceOf?: number
}

/** Puts a mail about a product into the outbox that was given up; its id. */
export async function mailAbout(
  tx: TxContext,
  { developerId, productId }: { readonly developerId: number; readonly productId: number },
  userId: number,
): Promise<string> {
  const values = { plan: 'Pro' }
  const to = { developerId, productId, userId, recipient: `mailed${productId}@example.com`, name: 'Reader' }
  await queueMail(tx, { ...to, template: 'license_cancelled', values })
  const last = tx.db
    .selectFrom('mails')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('product_id', '=', productId)
  const { id } = await tx.db
    .updateTable('mails')
    .set({ state: 'failed', due_at: null, keep_until: tx.clock.real() + DAY })
    .where('id', '=', last)
    .returning('id')
    .executeTakeFirstOrThrow()
  return String(id)
}

/** What the outbox has for an address, the earliest first. */
export async function mailsTo({ ctx }: Pick<TestApp, 'ctx'>, recipient: string): Promise<SentMail[]> {
  const rows = await ctx.db
    .selectFrom('mails')
    .select(['kind', 'content'])
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute()
  return rows.map(({ kind, content }) => ({
    kind,
    ...JSON.parse(ctx.keys.open(content ?? '', CONTENT_PLACE)),
  }))
}

/** What kinds of mail these are, in their order, with spaces between them. */
export const kindsOf = (mails: readonly SentMail[]): string => mails.map(({ kind }) => kind).join(' ')

/** Counts as if what is called from here on came from another caller, of whom nothing was mailed. */
export const callElsewhere = ({ write }: Pick<TestApp, 'write'>): Promise<unknown> =>
  write(({ db }) => db.deleteFrom('mail_counts').execute())
