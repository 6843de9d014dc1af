import type { TxContext } from '../context.ts'
import { audit } from './audit.ts'

/** Records what somebody did at the command line of this machine, in the transaction of what was done. */
export const auditCommand = (
  tx: TxContext,
  {
    command,
    productId,
    developerId = 0,
    details,
  }: { command: string; productId: number | null; developerId?: number; details: object },
): Promise<void> =>
  audit(tx, {
    action: `cli/${command}`,
    actor: { kind: 'system', id: 0, credential: 'cli' },
    productId,
    developerId,
    ip: null,
    requestId: null,
    details,
  })
