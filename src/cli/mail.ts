import { transaction, type Context, type TxContext } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { findAbout, retryFailedMails, retryMail } from '../mail/mail-rows.ts'
import { previewOf } from '../mail/preview.ts'
import { SAMPLES } from '../mail/samples.ts'
import type { Template } from '../mail/templates.ts'
import { idArgument, oneOf } from './arguments.ts'
import { databaseCommand, plainCommand, type Group } from './command.ts'
import { Failure } from './failure.ts'

const TEMPLATES = Object.keys(SAMPLES) as Template[]
const templateArgument = oneOf(TEMPLATES, 'It is one of')
/** So many in one transaction. */
const BATCH = 1_000

const list = plainCommand({
  describe: 'list every mail there is',
  handler: () => ({ value: { templates: TEMPLATES }, text: TEMPLATES.join('\n') }),
})

const preview = databaseCommand({
  describe: 'show a mail as it is sent, filled with examples',
  arguments: {
    '<template>': {
      describe: 'which one, as "mail list" names it',
      parse: templateArgument,
    },
  },
  options: {
    '--product <id>': { describe: 'product whose name, picture and own text it shows', parse: idArgument },
    '--language <tag>': { describe: 'language of its text, such as de' },
    '--html': { describe: 'print the HTML instead of the text', conflicts: ['json'] },
  },
  handler: async (ctx, { template, product, language, html }) => {
    const about =
      product === undefined ? undefined : await findAbout(ctx.db, { productId: product, userId: null })
    if (product !== undefined && !about) throw new Failure('not_found', `There is no product ${product}.`)
    const content = previewOf(ctx.baseUrl, about, { template, language: language ?? null })
    const text = html ? content.html : `${content.subject}\n\n${content.text.trimEnd()}`
    return { value: content, text }
  },
})

const retry = databaseCommand({
  describe: 'send mails that were given up in the last 30 days',
  options: {
    '--id <id>': { describe: 'one mail, also one that waits for its next attempt', parse: idArgument },
    '--failed': { describe: 'all that were given up', conflicts: ['id'] },
  },
  needs: [['failed', 'id']],
  handler: async (ctx, { id }) => {
    const count = id === undefined ? await retryFailed(ctx) : await retryOne(ctx, id)
    return {
      value: { count },
      text: `${count === 1 ? 'One mail is' : `${count} mails are`} sent again.`,
    }
  },
})

export const command: Group = {
  describe: 'the mails of this server',
  docs: 'docs/mail.md',
  commands: { list, preview, retry },
}

async function retryOne(ctx: Context, id: number): Promise<number> {
  await transaction(ctx, async (tx) => {
    const isDue = await retryMail(tx.db, id, tx.clock.real())
    if (!isDue) throw new Failure('not_found', `There is no mail ${id} that is still to be sent or kept.`)
    await auditRetry(tx, { mail: id })
  })
  return 1
}

async function retryFailed(ctx: Context): Promise<number> {
  let all = 0
  for (;;) {
    const count = await transaction(ctx, async (tx) => {
      const retried = await retryFailedMails(tx.db, tx.clock.real(), BATCH)
      if (retried > 0) await auditRetry(tx, { failed: retried })
      return retried
    })
    all += count
    if (count < BATCH) return all
  }
}

const auditRetry = (tx: TxContext, details: object) =>
  auditCommand(tx, { command: 'mail-retry', productId: null, details })
