import type { Reader } from '../../db/database.ts'
import { unscoped } from '../../db/scoped.ts'
import type { OtherFiles } from '../../deployments/hooks.ts'

const OF_ALL = 'files are kept by what is in them, for all accounts at once'

/** The files of imports, which are kept while there is work to do. */
export const filesOfImports: OtherFiles = {
  async inUse(db, files) {
    const rows = await unscoped(db, OF_ALL)
      .selectFrom('imports')
      .select(['file', 'methods_file'])
      .where((or) => or.or([or('file', 'in', files), or('methods_file', 'in', files)]))
      .execute()
    return new Set(rows.flatMap(({ file, methods_file: methods }) => [file ?? [], methods ?? []].flat()))
  },
  any: async (db) => (await anyImport(db)) !== undefined,
}

const anyImport = (db: Reader) =>
  unscoped(db, OF_ALL).selectFrom('imports').select('id').limit(1).executeTakeFirst()
