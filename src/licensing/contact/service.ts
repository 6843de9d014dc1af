import type { TxContext } from '../../context.ts'
import { systemScope, type Scope } from '../../access/scope.ts'
import { sameText } from '../../lib/credentials.ts'
import { invalid, notFound, tooManyRequests } from '../../lib/errors.ts'
import { HOUR, SECOND } from '../../lib/time.ts'
import { mayContact } from '../../mail/limits.ts'
import { findAbout } from '../../mail/mail-rows.ts'
import { queueAddressed } from '../../mail/outbox.ts'
import { provenSite } from '../activation/proven-site.ts'
import { findContacted } from './queries.ts'
import type { Contact } from './schema.ts'

/**
 * Mails the support of a product what somebody wrote, who is answered at the address that they said; nobody else is
 * mailed. It names the install that it came from, where that is proven. 404 for a product of another key, 400
 * `no_support_address` where nobody reads it, 429 beyond what `mayContact` lets through.
 */
export async function contact(ctx: TxContext, { ip }: Pick<Scope, 'ip'>, input: Contact): Promise<void> {
  const [product] = await findContacted(ctx.db, { id: input.product_id })
  if (!product || !sameText(product.public_key, input.public_key)) throw notFound('product')
  const { id: productId, developer_id: developerId } = product
  const about = await findAbout(ctx.db, { productId, userId: null })
  const recipient = product.support_email ?? about?.helpers.support?.address
  if (recipient === undefined) throw invalid('no_support_address', 'This product has no address for support.')
  if (!(await mayContact(ctx, { productId, ip }))) throw tooManyRequests(HOUR / SECOND)
  const site = await provenSite(ctx, systemScope({ developerId, productId }), input, 'contact')
  const { email, name = '' } = input
  await queueAddressed(ctx, [
    {
      about,
      mail: {
        developerId,
        productId,
        userId: null,
        recipient,
        name: '',
        template: 'contact',
        replyTo: { name, address: email },
        values: valuesOf(input, site?.id),
      },
    },
  ])
}

/** As a mail says them, line by line with a bar between: nothing that comes from a person begins a line of its own. */
const valuesOf = (
  { email, name = '', topic = '', site_url: site = '', message }: Contact,
  installId?: number,
) => ({
  from: name === '' ? email : `${name} (${email})`,
  topic,
  site,
  install: installId === undefined ? '' : String(installId),
  message: message
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' | '),
})
