import { Problem } from '../../shared/call.ts'
import { fill } from '../../shared/language.ts'
import type { Page } from '../page.ts'
import { formsOf, wayOf } from './ways.ts'

/**
 * Says of a gateway that does not answer what else can be taken: where the server has let the checkout go, as nothing
 * can have been charged. Does nothing where something else was refused meanwhile.
 */
export async function sayAway(
  { store, texts, gateway }: Pick<Page, 'store' | 'texts' | 'gateway'>,
  { status }: Problem,
): Promise<void> {
  const { checkout } = store.state
  if (!checkout || formsOf(checkout).length < 2) return
  const now = await store.server.look(checkout.id).catch(() => null)
  if (now?.state !== 'open' || store.state.problem?.code !== 'gateway_unreachable') return
  const others = formsOf(checkout).filter((form) => form.gateway !== gateway)
  const message = fill(texts.awayWay, {
    way: wayOf(gateway, texts.card),
    others: others.map((form) => wayOf(form.gateway, texts.card)).join(', '),
  })
  store.set({ problem: new Problem({ status, code: 'gateway_away', message }) })
}
