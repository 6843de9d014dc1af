/** What a buyer does in the portal that a product can have switched off there (`docs/portal.md`). */
export const PORTAL_PARTS = [
  'keys',
  'rotate_key',
  'deactivate',
  'deactivate_all',
  'allow_list',
  'offline_file',
  'downloads',
  'earlier_versions',
  'invoices',
  'plan_change',
  'payment_method',
  'cancel',
  'resume',
  'trials',
  'billing_details',
  'profile',
  'export',
  'erase',
] as const
export type PortalPart = (typeof PORTAL_PARTS)[number]

/** About the person, not a product: off where every product that the person has of the seller has it off. */
export const PERSONS_PARTS = ['billing_details', 'profile', 'export', 'erase'] as const satisfies PortalPart[]

/** What the law gives a buyer: off only while there is an address to ask for it. */
export const LAWFUL_PARTS = ['cancel', 'profile', 'export', 'erase'] as const satisfies PortalPart[]

const isOf = (parts: readonly PortalPart[], part: PortalPart) => parts.includes(part)

/** Whether a part is about the person. */
export const isPersons = (part: PortalPart): boolean => isOf(PERSONS_PARTS, part)

/** Whether a part needs an address to write to, where it is off. */
export const isLawful = (part: PortalPart): boolean => isOf(LAWFUL_PARTS, part)
