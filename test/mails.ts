import { transaction } from '../src/context.ts'
import { CONTENT_PLACE, queueMail } from '../src/mail/outbox.ts'
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
