import type { TxContext } from '../../context.ts'
import type { Scope } from '../../access/scope.ts'
import { leaveCharge, setDetails, type ChargeRow } from '../charges/charge-rows.ts'

/** What says of a refund, in its details, when one that rests is asked for again; absent: it does not. */
export interface Resting {
  /** Real time, milliseconds. */
  readonly restsUntil?: number
}

/**
 * Leaves a refund that is owed alone until a time, real milliseconds, as its gateway has refused it or could not make the
 * last one. Until then it is known that it was not made.
 */
export async function restUntil(
  tx: TxContext,
  scope: Scope,
  { id, details }: Pick<ChargeRow, 'id' | 'details'>,
  restsUntil: number,
): Promise<void> {
  const known = JSON.parse(details ?? '{}') as object
  await leaveCharge(tx.db, scope, id, restsUntil)
  await setDetails(tx.db, scope, id, JSON.stringify({ ...known, restsUntil }))
}

/** Whether a refund rests, and nobody asks for it at this moment. */
export const isResting = ({ state, details, lease_until: until }: ChargeRow): boolean =>
  state === 'pending' && until === (JSON.parse(details ?? '{}') as Resting).restsUntil
