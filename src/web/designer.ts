import { checkoutBase } from '../sales/checkouts/front/links.ts'
import { prefixOf } from './html.ts'
import { webPage } from './pages.ts'

/**
 * Where a seller designs a checkout: every parameter, with the link, script or button that has it, and a preview. It
 * knows nothing that is not public, and so is for everybody; nobody may hold it in a frame.
 */
export const designerPage = webPage({
  id: 'keywright/designer-page',
  page: 'designer',
  paths: ['/checkout/designer', '/checkout/designer/'],
  async find(ctx) {
    const data = { prefix: prefixOf(ctx), base: checkoutBase(ctx) }
    return { name: data.base, show: async () => ({ title: 'Checkout designer', data, policy: {} }) }
  },
})
