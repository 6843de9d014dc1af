import { useParams } from '@tanstack/react-router'
import type { PortalSession } from '../../src/people/portal/portal-session-schema.ts'
import { unitWords, type UnitWords } from '../shared/units.ts'
import type { Way } from '../ui/way.ts'
import { useVisit } from './session.ts'
import { language } from './texts/texts.ts'

/** Whether the page stands in a frame: a tab that it opens is not in the portal (`docs/portal.md`). */
export const isFramed = window.parent !== window

export type Product = PortalSession['products'][number]

export interface Here {
  readonly product: Product
  /** What the calls about what the user has of the product begin with. */
  readonly path: string
  /** What the calls about the user begin with. */
  readonly userPath: string
  /** Whether the product has something switched off here. */
  isOff(part: Product['off'][number]): boolean
  wayTo(page: 'licenses' | 'subscriptions', id: string): Way
}

/** Which product a page is about, as its address says. */
export function useHere(): Here {
  const { product: id = '' } = useParams({ strict: false })
  const { user, products } = useVisit()
  const product = products.find((one) => one.id === id)
  if (!product) throw new Error('This page is below one that looked for the product.')
  const userPath = `/users/${user.id}`
  return {
    product,
    userPath,
    isOff: (part) => product.off.includes(part),
    path: `${userPath}/products/${id}`,
    wayTo: (page, of) => ({ to: `/$product/${page}/$id`, params: { product: id, id: of } }),
  }
}

/** The words of what a license of the product counts. */
export const useUnit = (): UnitWords => unitWords(language, useHere().product.selling_unit_label)
