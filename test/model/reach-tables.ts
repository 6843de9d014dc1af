import { scoped } from '../../src/db/scoped.ts'
import { systemScope } from '../../src/access/scope.ts'
import type { Rules } from './reach-rules.ts'
import type { Board, Player } from './reach-world.ts'

/** The tables with rows of users that keys of reach own read; of some no operation lists more than one install's. */
const TABLES = ['licenses', 'installs', 'payments', 'subscriptions', 'reviews', 'trials', 'events'] as const

interface Found {
  readonly rows: number
  /** Those that the holder may not see. */
  readonly beyond: string[]
}

/** What the queries of each holder of reach own start from, in every table. */
export async function startsOf({ world, mirror, players }: Board, rules: Rules): Promise<Found> {
  const beyond: string[] = []
  let rows = 0
  for (const player of players.filter(({ side }) => side === 'own')) {
    const reach = reachOf(player)
    const { developerId, productId = 0, userId = null } = player
    const owner = { ...systemScope({ developerId, productId }), userId, reach }
    for (const table of TABLES) {
      const found = await scoped(world.ctx.db, table, owner).select().select(`${table}.id`).execute()
      rows += found.length
      const strange = found.filter(({ id }) => !rules.maySee(player, table, id))
      beyond.push(...strange.map(({ id }) => `${player.name} starts from ${table} ${id}`))
    }
  }
  return { rows, beyond }

  function reachOf({ own, kinds }: Player) {
    const install = Number(own['install_id'])
    const pair = mirror.rows('user_keys').find((row) => row['install_id'] === install)
    return kinds?.includes('user')
      ? ({ of: 'pair', id: Number(pair?.['id']) } as const)
      : ({ of: 'install', id: install } as const)
  }
}
