import { transaction, type Context, type ReadContext, type TxContext } from '../../context.ts'
import { confirmOwnership } from './change-owner.ts'
import { withQuery } from '../opt-in/connect-installs.ts'
import { elsewhere } from '../../http/answer.ts'
import type { PageOperation, Visit } from '../../http/other-replies.ts'
import type { Page } from '../../http/page.ts'
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

const OTHER_SITES = 'Other installs go by now than the page has shown that you agreed to.'

/** The page behind the mails of a change of ownership, which agrees to it; the token begins with its salt. */
export const ownershipPage: PageOperation = {
  reply: 'page',
  id: 'keywright/ownership-page',
  path: `${OWNERSHIP_PATH}{token}`,
  whyGone: 'It was used already, or it is older than 24 hours, or another change was asked for since.',
  show: (ctx, visit) => show(ctx, visit),
  async act(ctx, visit) {
    const change = await find(ctx, visit)
    const redirectUrl = redirectOf(ctx, change)
    if (!(await agreeToShown(ctx, visit, await shownTo(visit)))) return show(ctx, visit, OTHER_SITES)
    if (redirectUrl !== null) return elsewhere(withQuery(redirectUrl, agreedBy(change)))
    return { title: 'Thank you', text: 'When both sides have agreed, it is done.' }
  },
}

function find(ctx: ReadContext, visit: Visit): Promise<Change> {
  const [salt = '', token = ''] = visit.token.split('.')
  return readChange(ctx, salt, token)
}

async function show(ctx: Context, visit: Visit, problem?: string): Promise<Page> {
  const change = await find(ctx, visit)
  const { side, product_title: product } = change
  const { owner, candidate } = addressesOf(change)
  const sites = await sitesOf(ctx, change)
  const then = side === 'owner' ? '' : ' What runs there will then act for you in this product.'
  return {
    status: problem === undefined ? 200 : 409,
    title: 'Change of ownership',
    text: `${problem ?? ''} ${product} on ${sites}: from ${owner} to ${candidate}, with the licenses that are active there alone.${then}`.trimStart(),
    button: 'I agree',
    sends: { shown: shownBy(change) },
    leadsTo: redirectOf(ctx, change),
  }
}

/** What the page that is agreed to has shown; undefined for who sends its form by other means. */
async function shownTo(visit: Visit): Promise<unknown> {
  const form = await visit.form()
  return 'shown' in form ? form.shown : undefined
}

/** Undoes an agreement to other sites than the page has shown. */
class OtherSites extends Error {}

/** Agrees, unless other installs go by now than the page has shown; false then, and nothing is changed. */
async function agreeToShown(ctx: Context, visit: Visit, shown: unknown): Promise<boolean> {
  const { ip, requestId } = visit
  const agree = async (tx: TxContext) => {
    await holdOwnershipChange(tx.db, (await find(tx, visit)).id)
    const change = await find(tx, visit)
    if (shown !== undefined && shown !== shownBy(change)) throw new OtherSites()
    await confirmOwnership(tx, change, { ip, requestId })
    return true
  }
  return transaction(ctx, agree).catch((error: unknown) => {
    if (error instanceof OtherSites) return false
    throw error
  })
}
