import { CONTENT_PLACE } from '../src/mail/outbox.ts'
import type { TestApp } from './app.ts'

interface SentMail {
  readonly kind: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly unsubscribe?: string
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
