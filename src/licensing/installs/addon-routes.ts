import { AddonList, Addons } from '../../catalogue/addons/schema.ts'
import { readOperation } from '../../http/operation.ts'
import { addonsOfInstall } from './read-install.ts'
import { InstallId } from './schema.ts'

/** What is sold for an install beside its product. */
export const installAddonOperations = [
  readOperation({
    id: 'keywright/list-addons-of-install',
    summary: 'List the add-ons of the product of an install, the oldest first',
    method: 'GET',
    path: '/installs/{install_id}/addons.json',
    scopes: ['product', 'developer', 'store', 'user', 'install'],
    access: 'catalogue.read',
    params: InstallId,
    query: AddonList,
    status: 200,
    response: Addons,
    items: 'addons',
    handle: async (ctx, { scope, params, query }) => {
      const addons = await addonsOfInstall(ctx, scope, params, query)
      return { addons, plugins: addons }
    },
  }),
]
