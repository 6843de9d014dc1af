import type { Reader, Writer } from '../../db/database.ts'
import { literal } from '../../db/flags.ts'
import { unscoped } from '../../db/scoped.ts'

const ALL = 'the installs of every product are counted'

export interface InstallCounts {
  readonly id: number
  readonly installs: number
  readonly active: number
}

/** Up to `limit` products whose counts are not those of their installs, with the right ones; long on many. */
export const wrongInstallCounts = (db: Reader, limit: number): Promise<InstallCounts[]> =>
  unscoped(db, ALL)
    .selectFrom((eb) =>
      eb
        .selectFrom('products')
        .select(({ selectFrom }) => [
          'products.id',
          'products.installs_count',
          'products.active_installs_count',
          selectFrom('installs')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('installs.product_id', '=', 'products.id')
            .where((is) => is('installs.is_uninstalled', '=', literal(false)))
            .$asScalar()
            .$notNull()
            .as('installs'),
          selectFrom('installs')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('installs.product_id', '=', 'products.id')
            .where((is) => is('installs.is_active', '=', literal(true)))
            .where((is) => is('installs.is_uninstalled', '=', literal(false)))
            .$asScalar()
            .$notNull()
            .as('active'),
        ])
        .as('counted'),
    )
    .select(['counted.id', 'counted.installs', 'counted.active'])
    .where((or) =>
      or.or([
        or('counted.installs', '<>', or.ref('counted.installs_count')),
        or('counted.active', '<>', or.ref('counted.active_installs_count')),
      ]),
    )
    .orderBy('counted.id')
    .limit(limit)
    .execute()

export const setInstallCounts = (db: Writer, { id, installs, active }: InstallCounts) =>
  unscoped(db, ALL)
    .updateTable('products')
    .set({ installs_count: installs, active_installs_count: active })
    .where('id', '=', id)
    .execute()
