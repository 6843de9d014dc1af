import type { Operation } from '../http/other-replies.ts'
import { bulkOperations } from './bulk/routes.ts'
import { accountExportOperations } from './exports/account-routes.ts'
import { exportFile, exportOperations } from './exports/routes.ts'
import { totalOperations } from './totals/routes.ts'

/**
 * What is done with whole lists: a total says how many rows one has, an export writes one to a file, and a bulk action
 * does to each of its rows what an operation does to one. A list is what its operation says it is, for whoever may call
 * that; who asks is the one that is answered. All that an account has is written for its owner alone.
 */
export const listsOperations: readonly Operation[] = [
  ...totalOperations,
  ...exportOperations,
  ...accountExportOperations,
  exportFile,
  ...bulkOperations,
]
