import type { OtherFiles } from '../deployments/hooks.ts'
import { filesOfExports } from '../lists/exports/export-rows.ts'
import { filesOfImports } from './asked/file-rows.ts'

const ALL = [filesOfExports, filesOfImports]

/** What the storage has beside the builds of versions: files of exports, and of imports. */
export const otherFiles: OtherFiles = {
  async inUse(db, files, now) {
    const used = new Set<string>()
    for (const one of ALL) for (const file of await one.inUse(db, files, now)) used.add(file)
    return used
  },
  async any(db) {
    for (const one of ALL) if (await one.any(db)) return true
    return false
  },
}
