import { EDD } from './edd.ts'
import { GUMROAD } from './gumroad.ts'
import { KEYGEN } from './keygen.ts'
import { LEMON_SQUEEZY } from './lemon-squeezy.ts'
import type { Platform } from './map.ts'
import { PADDLE } from './paddle.ts'
import { POLAR } from './polar.ts'
import { WOOCOMMERCE } from './woocommerce.ts'

/** The platforms whose exports, tables or pages come here, by the name that a command has for each. */
export const PLATFORMS: Readonly<Record<string, Platform>> = Object.fromEntries(
  [LEMON_SQUEEZY, EDD, WOOCOMMERCE, GUMROAD, KEYGEN, PADDLE, POLAR].map((one) => [one.name, one]),
)

/** The platform of a name. */
export function platformOf(name: string): Platform {
  const found = Object.hasOwn(PLATFORMS, name) ? PLATFORMS[name] : undefined
  if (!found) throw new Error(`No platform is called ${name}.`)
  return found
}
