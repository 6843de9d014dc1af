import { InvalidArgumentError, Option, type Command } from 'commander'
import { transaction, type Context, type ReadContext, type TxContext } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { brandOf } from '../mail/outbox.ts'
import { findAbout, retryFailedMails, retryMail } from '../mail/mail-rows.ts'
import { renderMail } from '../mail/render.ts'
import { SAMPLES } from '../mail/samples.ts'
import type { Template } from '../mail/templates.ts'
import { textsIn } from '../mail/texts/texts.ts'
import type { Cli } from './cli.ts'
import { Failure } from './failure.ts'
import { idArgument } from './id-argument.ts'
import { withContext } from './open.ts'

interface Options {
  readonly product?: number
  readonly language?: string
  readonly html?: true
}

interface Retried {
  readonly id?: number
  readonly failed?: true
}

/** So many in one transaction. */
const BATCH = 1_000

export function register(program: Command, cli: Cli): void {
  const mail = program.command('mail').description('the mails of this server')
  mail
    .command('list')
    .description('list every mail there is')
    .option('--json', 'print one JSON object')
    .action(() => cli.result({ templates: TEMPLATES }, TEMPLATES.join('\n')))
  mail
    .command('preview')
    .description('show a mail as it is sent, filled with examples')
    .argument('<template>', 'which one, as "mail list" names it', templateArgument)
    .option('--product <id>', 'product whose name and picture it shows', idArgument)
    .option('--language <tag>', 'language of its text, such as de')
    .addOption(new Option('--html', 'print the HTML instead of the text').conflicts('json'))
    .option('--json', 'print one JSON object')
    .action((template: Template, options: Options) =>
      withContext(cli, (ctx) => preview(cli, ctx, template, options)),
    )
  mail
    .command('retry')
    .description('send mails that were given up in the last 30 days')
    .option('--id <id>', 'one mail, also one that waits for its next attempt', idArgument)
    .addOption(new Option('--failed', 'all that were given up').conflicts('id'))
    .option('--json', 'print one JSON object')
    .action((which: Retried) => withContext(cli, (ctx) => retry(cli, ctx, which)))
}

const TEMPLATES = Object.keys(SAMPLES)

async function preview(
  cli: Cli,
  ctx: ReadContext,
  template: Template,
  { product, language, html }: Options,
): Promise<void> {
  const about =
    product === undefined ? undefined : await findAbout(ctx.db, { productId: product, userId: null })
  if (product !== undefined && !about) throw new Failure('not_found', `There is no product ${product}.`)
  const brand = about ? brandOf(ctx.baseUrl, about) : { product: 'Your product', logo: null }
  const isOfCart = template.startsWith('cart_recovery.')
  const content = renderMail(textsIn(language ?? null), brand, {
    template,
    name: 'Ada Lovelace',
    values: SAMPLES[template],
    ...(isOfCart && { unsubscribe: 'https://shop.example.com/unsubscribe/a-link' }),
  })
  cli.result(content, html ? content.html : `${content.subject}\n\n${content.text.trimEnd()}`)
}

async function retry(cli: Cli, ctx: Context, { id, failed }: Retried): Promise<void> {
  if (id === undefined && !failed) throw new Failure('no_choice', 'Say which: --id or --failed.')
  const count = id === undefined ? await retryFailed(ctx) : await retryOne(ctx, id)
  cli.result({ count }, `${count === 1 ? 'One mail is' : `${count} mails are`} sent again.`)
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

function templateArgument(text: string): string {
  if (!TEMPLATES.includes(text)) throw new InvalidArgumentError(`It is one of ${TEMPLATES.join(', ')}.`)
  return text
}
