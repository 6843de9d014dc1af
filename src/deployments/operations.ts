import type { Operation } from '../http/other-replies.ts'
import { deploymentOperations } from './versions/routes.ts'
import { updateOperations } from './downloads/update-routes.ts'
import { ownVersionOperations } from './downloads/own-version-routes.ts'
import { downloadOperations } from './downloads/routes.ts'

/**
 * What of a product is uploaded and downloaded: the deployment (`tag` on the wire), a version with its premium and its
 * free build. The seller uploads and releases; installs and users are offered what their license allows, and whoever has
 * an address that was made for them downloads by it.
 */
export const deploymentsOperations: readonly Operation[] = [
  ...deploymentOperations,
  ...updateOperations,
  ...ownVersionOperations,
  ...downloadOperations,
]
