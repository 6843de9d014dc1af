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

/** What an import of a platform is of: one of several shops there is told from the others. */
export const sourceName = (platform: PlatformName, shop: string | undefined): string =>
  shop ? `${platform} ${shop}` : platform
