import { Type } from '../../lib/type.ts'
import { readOperation, type AnyOperation } from '../../http/operation.ts'
import { Arguments, Fields } from '../../http/wire.ts'
import { getUser } from '../../people/users/service.ts'
import { Card, CardOfUser, CardPage, CardsOfUser } from './schema.ts'
import { getCard, getCards } from './service.ts'

const scopes = ['product', 'developer', 'store', 'user'] as const

/** Ours: the cards that a user's payments are charged to. */
export const cardOperations: readonly AnyOperation[] = [
  readOperation({
    id: 'keywright/list-cards',
    summary: 'List the cards and accounts that are kept of a user for later payments, newest first',
    method: 'GET',
    path: '/users/{user_id}/cards.json',
    scopes,
    access: 'sales.read',
    params: CardsOfUser,
    query: CardPage,
    status: 200,
    response: Type.Object({ cards: Type.Array(Card) }),
    items: 'cards',
    handle: async (ctx, { scope, params, query }) => {
      await getUser(ctx, scope, params.user_id)
      return { cards: await getCards(ctx, scope, { userId: params.user_id, ...query }) }
    },
  }),
  readOperation({
    id: 'keywright/retrieve-card',
    summary: 'Retrieve a card or account that is kept of a user',
    method: 'GET',
    path: '/users/{user_id}/cards/{card_id}.json',
    scopes,
    access: 'sales.read',
    params: CardOfUser,
    query: Arguments(Fields),
    status: 200,
    response: Card,
    handle: (ctx, { scope, params }) => getCard(ctx, scope, { userId: params.user_id, id: params.card_id }),
  }),
]
