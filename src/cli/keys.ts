import { transaction } from '../context.ts'
import { auditCommand } from '../access/audit-command.ts'
import { OVERLAP_HOURS, type KeyHolder } from '../catalogue/keys/schema.ts'
import { renewKeys } from '../catalogue/keys/service.ts'
import { hoursArgument, idArgument } from './arguments.ts'
import { databaseCommand, type Group } from './command.ts'

const whose = <const T extends string>(name: string, conflicts: readonly T[]) => ({
  describe: `${name} whose secret key it is`,
  parse: idArgument,
  conflicts,
})

const renew = databaseCommand({
  describe: `replace a secret key; the one so far goes on for ${OVERLAP_HOURS.usual} hours, or --overlap-hours, ${OVERLAP_HOURS.most} at most`,
  docs: 'SECURITY.md',
  options: {
    '--developer <id>': whose('developer', ['store', 'product']),
    '--store <id>': whose('store', ['developer', 'product']),
    '--product <id>': whose('product', ['developer', 'store']),
    '--overlap-hours <hours>': {
      describe: 'how long the one so far goes on; 0 ends it at once, and all earlier ones',
      parse: hoursArgument(OVERLAP_HOURS.most),
      default: OVERLAP_HOURS.usual,
    },
  },
  needs: [['developer', 'store', 'product']],
  handler: async (ctx, { overlapHours, ...whose }) => {
    const [holder, name] = holderOf(whose)
    const renewed = await transaction(ctx, async (tx) => {
      const done = await renewKeys(tx, holder, overlapHours)
      const productId = whose.product ?? null
      const details = { [name]: holder.id, overlap_hours: overlapHours }
      await auditCommand(tx, { command: 'keys-renew', productId, details })
      return done
    })
    const { secret_key: secret, former_until: until } = renewed
    const end = until === null ? 'has ended' : `goes on until ${until}`
    return {
      value: renewed,
      text: `The secret key of ${name} ${holder.id}; the one so far ${end}:\n\n  ${secret}`,
    }
  },
})

interface Whose {
  readonly developer?: number
  readonly store?: number
  readonly product?: number
}

function holderOf({ developer, store, product }: Whose): [KeyHolder, string] {
  const developerId = null
  if (developer !== undefined) return [{ owner: 'developers', id: developer, developerId }, 'developer']
  if (store !== undefined) return [{ owner: 'stores', id: store, developerId }, 'store']
  if (product !== undefined) return [{ owner: 'products', id: product, developerId }, 'product']
  throw new Error('A command names whose key it is.')
}

export const command: Group = {
  describe: 'the keys of developers, stores and products',
  commands: { renew },
}
