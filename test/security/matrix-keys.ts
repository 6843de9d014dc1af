import { ACCOUNT, DEVELOPER, LOGGED_IN } from './matrix-rows.ts'

/** Keys of developer, store and product, those that sign license files, and all that an account has, with its keys. */
export const OF_KEYS = {
  'keywright/rotate-license-keys': DEVELOPER,
  'keywright/renew-developer-keys': ACCOUNT,
  'keywright/renew-store-keys': ACCOUNT,
  'keywright/renew-product-keys': DEVELOPER,
  'keywright/show-developer-keys': LOGGED_IN,
  'keywright/show-store-keys': LOGGED_IN,
  'keywright/export-account': LOGGED_IN,
  'keywright/show-export-address': LOGGED_IN,
  'keywright/show-product-keys': { ...DEVELOPER, developer: ['session'] },
} as const
