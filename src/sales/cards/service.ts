import type { ReadContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { notFound } from '../../lib/errors.ts'
import { listCards } from './queries.ts'
import { findCards } from './card-rows.ts'
import { presentCard, type Card } from './schema.ts'

interface Page {
  readonly userId: number
  readonly count: number
  readonly offset: number
}

/** The cards of a user, newest first; in an own reach those that pay for what is in it. */
export const getCards = async ({ db }: ReadContext, scope: Scope, page: Page): Promise<Card[]> =>
  (await listCards(db, scope, page)).map(presentCard)

/** 404 when the user has no such card. */
export async function getCard(
  { db }: ReadContext,
  scope: Scope,
  { userId, id }: { readonly userId: number; readonly id: number },
): Promise<Card> {
  const [card] = await findCards(db, scope, [id])
  if (card?.user_id !== userId) throw notFound('card')
  return presentCard(card)
}
