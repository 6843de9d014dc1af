import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { transaction, type Context, type ReadContext, type TxContext } from '../../context.ts'
import { confirmOwnership } from './change-owner.ts'
import { withQuery } from '../opt-in/connect-installs.ts'
import { argumentsOf } from '../../http/body.ts'
import { followLink, respondPage } from '../../http/page.ts'
import { respond } from '../../http/respond.ts'
import {
  OWNERSHIP_PATH,
  addressesOf,
  agreedBy,
  readChange,
  redirectOf,
  shownBy,
  sitesOf,
  type Change,
} from './ownership.ts'
import { holdOwnershipChange } from './ownership-queries.ts'

type Link = FastifyRequest<{ Params: { salt_and_token: string } }>

const OTHER_SITES = 'Other sites go by now than the page has shown that you agreed to.'
const TOO_OLD = 'It was used already, or it is older than 24 hours, or another change was asked for since.'

/**
 * The page behind the mails of a change of ownership: it opens by GET, and agrees by POST (`docs/decisions.md` 3.10).
 */
export function mountOwnershipPage(server: FastifyInstance, ctx: Context): void {
  const url = `${OWNERSHIP_PATH}:salt_and_token`
  server.get(url, (request: Link, reply) => followLink(reply, TOO_OLD, () => show(ctx, request, reply)))
  server.post(url, (request: Link, reply) => followLink(reply, TOO_OLD, () => act(ctx, request, reply)))
}

function find(ctx: ReadContext, { params }: Link): Promise<Change> {
  const [salt = '', token = ''] = params.salt_and_token.split('.')
  return readChange(ctx, salt, token)
}

async function show(ctx: Context, request: Link, reply: FastifyReply, problem?: string): Promise<void> {
  const change = await find(ctx, request)
  const { side, product_title: product } = change
  const { owner, candidate } = addressesOf(change)
  const sites = await sitesOf(ctx, change)
  const then = side === 'owner' ? '' : ' What runs there will then act for you in this product.'
  respondPage(reply, problem === undefined ? 200 : 409, {
    title: 'Change of ownership',
    text: `${problem ?? ''} ${product} on ${sites}: from ${owner} to ${candidate}, with the licenses that are active there alone.${then}`.trimStart(),
    button: 'I agree',
    sends: { shown: shownBy(change) },
    leadsTo: redirectOf(ctx, change),
  })
}

async function act(ctx: Context, request: Link, reply: FastifyReply): Promise<void> {
  const change = await find(ctx, request)
  const redirectUrl = redirectOf(ctx, change)
  if (!(await agreeToShown(ctx, request, await shownTo(request))))
    return show(ctx, request, reply, OTHER_SITES)
  if (redirectUrl !== null) {
    respond(reply, 303, '', { location: withQuery(redirectUrl, agreedBy(change)) })
    return
  }
  respondPage(reply, 200, { title: 'Thank you', text: 'When both sides have agreed, it is done.' })
}

/** What the page that is agreed to has shown; undefined for who sends its form by other means. */
async function shownTo(request: Link): Promise<unknown> {
  const { object } = await argumentsOf(request, {})
  return 'shown' in object ? object.shown : undefined
}

/** Undoes an agreement to other sites than the page has shown. */
class OtherSites extends Error {}

/** Agrees, unless other installs go by now than the page has shown; false then, and nothing is changed. */
async function agreeToShown(ctx: Context, request: Link, shown: unknown): Promise<boolean> {
  const from = { ip: request.ip, requestId: request.id }
  const agree = async (tx: TxContext) => {
    await holdOwnershipChange(tx.db, (await find(tx, request)).id)
    const change = await find(tx, request)
    if (shown !== undefined && shown !== shownBy(change)) throw new OtherSites()
    await confirmOwnership(tx, change, from)
    return true
  }
  return transaction(ctx, agree).catch((error: unknown) => {
    if (error instanceof OtherSites) return false
    throw error
  })
}
