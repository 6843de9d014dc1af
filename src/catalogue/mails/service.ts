import { pageReader, type Context, type ReadContext, type TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { msSpanOf } from '../../lib/time-text.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { CONTENT_PLACE } from '../../mail/outbox.ts'
import type { MailRow } from '../../mail/mail-rows.ts'
import type { QueuedContent } from '../../mail/message.ts'
import { countMails, findMail, listMails, retryMailOf } from '../../mail/product-mail-rows.ts'
import { covered } from '../../mail/secrets.ts'
import { presentMail, type Mail, type MailList, type MailWithContent } from './schema.ts'

type ListContext = ReadContext & Pick<Context, 'database'>

/** What is mailed about a product, newest first unless it is sorted. */
export const getMails = async (ctx: ListContext, scope: Scope, query: MailList): Promise<Mail[]> =>
  (await listMails(pageReader(ctx, query), scope, filterOf(query))).map(presentMail)

/** How many mails a list of a product has, counted no further than its `count`. */
export const totalOfMails = ({ database }: ListContext, scope: Scope, query: MailList): Promise<number> =>
  countMails(database.background, scope, filterOf(query))

const filterOf = (query: MailList) => ({ ...query, made: msSpanOf(query) })

/** One mail, with what it says as its sender may see it. */
export async function getMail(ctx: ReadContext, scope: Scope, id: number): Promise<MailWithContent> {
  const row = await findMail(ctx.db, scope, id)
  if (!row) throw notFound('mail')
  return { ...presentMail(row), content: contentOf(ctx, row) }
}

/** What it is not known of where its secrets are is not shown: an earlier version wrote that. */
function contentOf({ keys }: ReadContext, { content }: MailRow): MailWithContent['content'] {
  if (content === null) return null
  const { subject, text, html, secrets } = JSON.parse(keys.open(content, CONTENT_PLACE)) as QueuedContent
  return secrets === undefined ? null : covered({ subject, text, html }, secrets)
}

/** Sends a mail again that was given up or waits; 400 `mail_not_kept` for one whose content is gone. */
export async function retryMail(ctx: TxContext, scope: Scope, id: number): Promise<Mail> {
  const isDue = await retryMailOf(ctx.db, scope, id, ctx.clock.real())
  const row = await findMail(ctx.db, scope, id)
  if (!row) throw notFound('mail')
  if (!isDue)
    throw invalid('mail_not_kept', 'What this mail says is no longer kept, so it cannot be sent again.')
  return presentMail(row)
}
