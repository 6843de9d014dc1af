import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { transaction, type Context, type ReadContext } from '../../context.ts'
import { confirmOwnership } from '../../flows/change-owner.ts'
import { withQuery } from '../../flows/connect-installs.ts'
import { followLink, respondPage } from '../../http/page.ts'
import { respond } from '../../http/respond.ts'
import {
  OWNERSHIP_PATH,
  addressesOf,
  agreedBy,
  readChange,
  redirectOf,
  sitesOf,
  type Change,
} from './ownership.ts'

type Link = FastifyRequest<{ Params: { salt_and_token: string } }>

const TOO_OLD = 'It was used already, or it is older than 24 hours, or another change was asked for since.'

/** The page behind the mails of a change of ownership: it opens by GET, and agrees by POST (DECISIONS 3.10). */
export function mountOwnershipPage(server: FastifyInstance, ctx: Context): void {
  const url = `${OWNERSHIP_PATH}:salt_and_token`
  server.get(url, (request: Link, reply) => followLink(reply, TOO_OLD, () => show(ctx, request, reply)))
  server.post(url, (request: Link, reply) => followLink(reply, TOO_OLD, () => act(ctx, request, reply)))
}

function find(ctx: ReadContext, { params }: Link): Promise<Change> {
  const [salt = '', token = ''] = params.salt_and_token.split('.')
  return readChange(ctx, salt, token)
}

async function show(ctx: Context, request: Link, reply: FastifyReply): Promise<void> {
  const change = await find(ctx, request)
  const { side, product_title: product } = change
  const { owner, candidate } = addressesOf(change)
  const sites = await sitesOf(ctx, change)
  const then = side === 'owner' ? '' : ' What runs there will then act for you in this product.'
  respondPage(reply, 200, {
    title: 'Change of ownership',
    text: `${product} on ${sites}: from ${owner} to ${candidate}, with the licenses that are active there alone.${then}`,
    button: 'I agree',
    leadsTo: redirectOf(ctx, change),
  })
}

async function act(ctx: Context, request: Link, reply: FastifyReply): Promise<void> {
  const change = await find(ctx, request)
  const redirectUrl = redirectOf(ctx, change)
  const from = { ip: request.ip, requestId: request.id }
  await transaction(ctx, async (tx) => confirmOwnership(tx, await find(tx, request), from))
  if (redirectUrl !== null) {
    respond(reply, 303, '', { location: withQuery(redirectUrl, agreedBy(change)) })
    return
  }
  respondPage(reply, 200, { title: 'Thank you', text: 'When both sides have agreed, it is done.' })
}
