import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Context, transaction } from '../../context.ts'
import { followLink, respondPage } from '../../http/page.ts'
import { ApiError } from '../../lib/errors.ts'
import { confirmOwnAddress, OWN_EMAIL_PATH, readAddressChange } from './person.ts'

type Confirm = FastifyRequest<{ Params: { token: string } }>

const TOO_OLD = 'It was used already, or it is older than 24 hours. Ask for another one.'

/**
 * The page behind the link to another address of a developer: it opens by GET and acts by POST
 * (`docs/decisions.md` 3.10).
 */
export function mountOwnEmailPage(server: FastifyInstance, ctx: Context): void {
  const url = `${OWN_EMAIL_PATH}:token`
  server.get(url, (request: Confirm, reply) =>
    followLink(reply, TOO_OLD, async () => {
      const { email, server: name } = await readAddressChange(ctx, request.params.token)
      respondPage(reply, 200, {
        title: 'Confirm your address',
        text: `${email} – ${name}`,
        button: 'Confirm',
      })
    }),
  )
  server.post(url, (request: Confirm, reply) => followLink(reply, TOO_OLD, () => act(ctx, request, reply)))
}

async function act(ctx: Context, { params, ip, id }: Confirm, reply: FastifyReply): Promise<void> {
  const { email, server } = await readAddressChange(ctx, params.token)
  try {
    await transaction(ctx, (tx) => confirmOwnAddress(tx, params.token, { ip, requestId: id }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'developer_email_taken') throw error
    respondPage(reply, error.status, { title: 'This address is taken', text: error.message })
    return
  }
  respondPage(reply, 200, { title: 'Thank you', text: `You log in to ${server} with ${email} now.` })
}
