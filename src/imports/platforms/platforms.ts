import { EDD } from './edd.ts'
import { GUMROAD } from './gumroad.ts'
import { KEYGEN } from './keygen.ts'
import { LEMON_SQUEEZY } from './lemon-squeezy.ts'
import type { Platform } from './map.ts'
import type { PlatformName } from './names.ts'
import { PADDLE } from './paddle.ts'
import { POLAR } from './polar.ts'
import { WOOCOMMERCE } from './woocommerce.ts'

/** The platforms whose exports, tables or pages come here, by the name that a command has for each. */
export const PLATFORMS: Readonly<Record<PlatformName, Platform>> = {
  'lemon-squeezy': LEMON_SQUEEZY,
  edd: EDD,
  woocommerce: WOOCOMMERCE,
  gumroad: GUMROAD,
  keygen: KEYGEN,
  paddle: PADDLE,
  polar: POLAR,
}
