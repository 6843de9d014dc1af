import { hash } from 'node:crypto'

/** Ids of rows from platforms: far past those that are given out here, and each of them whole in a number. */
const LEAST = 10 ** 14
const MOST = 9 * 10 ** 14

/** Whose ids: the account, the platform, and which of several shops there. */
export interface Space {
  readonly account: number
  readonly platform: string
  readonly shop: string
}

/** The id here of what a platform calls `id`; always the same, so that nothing comes twice. */
export function idOf({ account, platform, shop }: Space, name: string, id: string): number {
  const digits = hash('sha256', JSON.stringify([account, platform, shop, name, id]), 'hex').slice(0, 16)
  return LEAST + Number(BigInt(`0x${digits}`) % BigInt(MOST - LEAST))
}
