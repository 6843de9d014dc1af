import type { AnyOperation } from './http/operation.ts'
import { developerOperations } from './resources/developers/routes.ts'
import { eventOperations } from './resources/events/routes.ts'
import { userOperations } from './resources/users/routes.ts'

/** Every operation: the table of contents. */
export const operations: readonly AnyOperation[] = [
  ...developerOperations,
  ...eventOperations,
  ...userOperations,
]
