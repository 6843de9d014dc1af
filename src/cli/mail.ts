import { InvalidArgumentError, Option, type Command } from 'commander'
import type { ReadContext } from '../context.ts'
import { brandOf } from '../mail/outbox.ts'
import { findAbout } from '../mail/queries.ts'
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

function templateArgument(text: string): string {
  if (!TEMPLATES.includes(text)) throw new InvalidArgumentError(`It is one of ${TEMPLATES.join(', ')}.`)
  return text
}
