import { systemScope, type Actor, type Scope } from '../access/scope.ts'

/** Who asks, by which what it has asked for is found again: `developer:1`, `token:7`. */
export const makerOf = ({ actor }: Pick<Scope, 'actor'>): string => `${actor.kind}:${actor.id}`

/** What of a caller decides what it may do, and what the audit log says of it. */
export function keptOf({ kind, id, credential, role, canRefund, rights, productIds }: Actor): Actor {
  return {
    kind,
    id,
    credential,
    ...(role !== undefined && { role }),
    ...(canRefund !== undefined && { canRefund }),
    ...(rights !== undefined && { rights }),
    ...(productIds !== undefined && { productIds }),
  }
}

/** The scope in which a job does what a caller has asked for. */
export const scopeOfAsker = (
  owner: { readonly developerId: number; readonly productId: number },
  actor: Actor,
): Scope => ({ ...systemScope(owner), kind: 'developer', actor })
