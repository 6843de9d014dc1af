/** The platforms whose data comes here, as commands and the interface call them. */
export const PLATFORM_NAMES = [
  'lemon-squeezy',
  'edd',
  'woocommerce',
  'gumroad',
  'keygen',
  'paddle',
  'polar',
] as const
export type PlatformName = (typeof PLATFORM_NAMES)[number]

export const isPlatform = (name: string): name is PlatformName =>
  PLATFORM_NAMES.some((platform) => platform === name)
